import { connect } from "node:net";
import { listenRequest, subscriptionOf } from "./wire.ts";

const READ_INTO = Buffer.allocUnsafeSlow(64 * 1024);
const END_OF_HEAD = "\r\n\r\n";
const ACKNOWLEDGED = '"notifications/subscriptions/acknowledged"';
const CHANGED = '"notifications/tools/list_changed"';

/**
 * One stream of changes over a bare socket. It reads as little as shows that an event is whole and its own, so that
 * a thousand of them cost less than the server that feeds them.
 */
export class Stream {
  readonly #own: string;
  readonly #onChange: () => void;
  #text = "";
  #onOpen: (() => void) | undefined;

  private constructor(id: number, onChange: () => void) {
    this.#own = subscriptionOf(id);
    this.#onChange = onChange;
  }

  /** Settles once it is acknowledged. `onFault` hears of what goes wrong later. */
  static open(
    { id, port, path }: { readonly id: number; readonly port: number; readonly path: string },
    onChange: () => void,
    onFault: (error: Error) => void,
  ): Promise<Stream> {
    return new Promise((resolve, reject) => {
      // One buffer for all of them: what a read brings is looked at before the next one.
      const onread = { buffer: READ_INTO, callback: (length: number) => take(length) };
      const socket = connect({ host: "127.0.0.1", port, noDelay: true, onread });
      const stream = new Stream(id, onChange);
      const fail = (error: Error): void => {
        stream.#onOpen = undefined;
        socket.destroy();
        reject(error);
        onFault(error);
      };
      stream.#onOpen = () => resolve(stream);
      socket.on("connect", () => socket.write(listenRequest(id, port, path), "latin1"));
      const take = (length: number): boolean => {
        try {
          stream.#read(READ_INTO.toString("latin1", 0, length));
        } catch (error) {
          fail(error instanceof Error ? error : new Error(String(error)));
        }
        return true;
      };
      socket.on("error", fail);
      socket.on("close", () => fail(new Error(`stream ${id} was closed`)));
    });
  }

  /** Events come one at a time, so that the end of one is the end of what came. */
  #read(text: string): void {
    this.#text = this.#text === "" ? text : this.#text + text;
    if (!this.#text.endsWith("\n\n\r\n")) {
      if (this.#onOpen !== undefined) assertStream(this.#text);
      return;
    }
    const came = this.#text;
    this.#text = "";
    if (this.#onOpen !== undefined) this.#acknowledge(came, this.#onOpen);
    else if (came.includes(CHANGED)) this.#note(came);
  }

  #acknowledge(came: string, onOpen: () => void): void {
    assertStream(came);
    if (!came.includes(ACKNOWLEDGED) || !came.includes(this.#own)) throw new Error(`got: ${came}`);
    this.#onOpen = undefined;
    onOpen();
  }

  #note(came: string): void {
    if (!came.includes(this.#own)) throw new Error(`another stream's event: ${came}`);
    this.#onChange();
  }
}

function assertStream(answer: string): void {
  const isWhole = answer.includes(END_OF_HEAD);
  if (isWhole && !answer.startsWith("HTTP/1.1 200")) throw new Error(`no stream: ${answer}`);
}
