import { connect, type Socket } from "node:net";

export interface Reply {
  readonly status: number;
  readonly body: Buffer;
}

const END_OF_HEAD = Buffer.from("\r\n\r\n");
const END_OF_CHUNKS = Buffer.from("\r\n0\r\n\r\n");
const LENGTH = /\r\ncontent-length: *(\d+)/i;
const CHUNKED = /\r\ntransfer-encoding: *chunked/i;

/**
 * One keep-alive connection that sends a request and reads its answer, over a bare socket.
 *
 * It costs a fraction of `node:http` or `fetch`, so that the server is what limits the measurement.
 * It reads what the peers here send: answers with a length, or in chunks that end before the next request.
 */
export class Connection {
  readonly #socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  #settle: { resolve(reply: Reply): void; reject(error: Error): void } | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("data", (data) => {
      this.#received = this.#received.length === 0 ? data : Buffer.concat([this.#received, data]);
      this.#read();
    });
    socket.on("close", () => this.#fail(new Error("the server closed the connection")));
    socket.on("error", (error) => this.#fail(error));
  }

  static async open(port: number): Promise<Connection> {
    const socket = connect({ host: "127.0.0.1", port, noDelay: true });
    await new Promise<void>((resolve, reject) => {
      socket.once("connect", resolve);
      socket.once("error", reject);
    });
    return new Connection(socket);
  }

  send(request: string): Promise<Reply> {
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      this.#socket.write(request, "latin1");
    });
  }

  close(): void {
    this.#settle = undefined;
    this.#socket.destroy();
  }

  #read(): void {
    const data = this.#received;
    const end = data.indexOf(END_OF_HEAD);
    if (end < 0) return;
    const head = data.toString("latin1", 0, end);
    const start = end + END_OF_HEAD.length;
    const length = LENGTH.exec(head)?.[1];
    if (length !== undefined) {
      if (data.length - start < Number(length)) return;
      this.#answer(head, data.subarray(start, start + Number(length)));
      return;
    }
    if (!CHUNKED.test(head)) this.#fail(new Error("an answer without a length"));
    else if (data.subarray(-END_OF_CHUNKS.length).equals(END_OF_CHUNKS)) {
      this.#answer(head, unchunk(data.subarray(start)));
    }
  }

  #answer(head: string, body: Buffer): void {
    this.#received = Buffer.alloc(0);
    const settle = this.#settle;
    this.#settle = undefined;
    settle?.resolve({ status: Number(head.slice(9, 12)), body });
  }

  #fail(error: Error): void {
    const settle = this.#settle;
    this.#settle = undefined;
    settle?.reject(error);
  }
}

function unchunk(data: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; ;) {
    const line = data.indexOf(10, at);
    const size = Number.parseInt(data.toString("latin1", at, line), 16);
    if (line < 0 || !(size > 0)) return Buffer.concat(parts);
    parts.push(data.subarray(line + 1, line + 1 + size));
    at = line + 1 + size + 2;
  }
}
