import { ServerResponse, type IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { LINGER_MS, MAX_LINGER_BYTES } from "../base/limits.ts";
import type { Flusher } from "./flusher.ts";
import type { FlatHeaders, Outlet, OutletConsumer, Reply, ReplyBody } from "../http/respond.ts";

/** Above this a string is encoded once instead of being measured and then encoded. */
const MAX_STRING_WRITE = 64 * 1024;

export interface NodeOutletOptions {
  readonly headers: FlatHeaders;
  readonly writeStallMs: number;
  readonly flusher: Flusher;
}

/** Writes answers straight to a Node response. */
export class NodeOutlet implements Outlet {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #options: NodeOutletOptions;
  #consumer: OutletConsumer | undefined;
  #isWatched = false;
  #hasWatcher = false;
  /** The head was written, and chunks follow. */
  #isStreaming = false;

  constructor(request: IncomingMessage, response: ServerResponse, options: NodeOutletOptions) {
    this.#request = request;
    this.#response = response;
    this.#options = options;
  }

  get queued(): number {
    return this.#response.writableLength;
  }

  send({ status, headers, body, close }: Reply): void {
    const response = this.#response;
    if (response.destroyed || response.headersSent) return;
    const head: (string | number)[] = [...headers, ...this.#options.headers];
    if (close) head.push("Connection", "close");
    const content =
      typeof body === "string" && body.length > MAX_STRING_WRITE ? Buffer.from(body) : body;
    const length = lengthOf(content);
    if (status !== 204) head.push("Content-Length", length);
    response.writeHead(status, head);
    if (length > 0) this.#writeAll(content, length);
    if (close && status !== 408 && !this.#request.complete) this.#linger();
    else response.end();
    this.#watch();
  }

  open(status: number, headers: FlatHeaders, chunk: string): boolean {
    const response = this.#response;
    if (response.destroyed || response.headersSent) return true;
    const { socket } = response;
    socket?.cork();
    response.writeHead(status, [...headers, ...this.#options.headers]);
    // A piece of its own, which makes one text of it: Node keeps the head, in a hundred parts otherwise.
    response.flushHeaders();
    this.#isStreaming = true;
    // The request was read, and a stream may stay open for days.
    this.#request.removeAllListeners("data").removeAllListeners("end");
    const isTaken = chunk === "" || this.write(chunk);
    socket?.uncork();
    return isTaken;
  }

  write(chunk: string | Uint8Array): boolean {
    const response = this.#response;
    if (response.destroyed) return true;
    const socket = typeof chunk === "string" ? this.#socket() : undefined;
    const isTaken =
      socket === undefined || typeof chunk !== "string"
        ? this.#writeChunk(chunk)
        : writeFramed(socket, chunk);
    if (isTaken) return true;
    (socket ?? response).once("drain", () => {
      this.#unwatch();
      this.#consumer?.drained();
    });
    this.#watch();
    return false;
  }

  end(chunk: string): void {
    if (this.#response.destroyed) return;
    if (chunk !== "") this.#response.write(chunk, encodingOf(chunk));
    this.#response.end();
    this.#watch();
  }

  destroy(): void {
    this.#response.destroy();
  }

  attach(consumer: OutletConsumer): void {
    const isFirst = this.#consumer === undefined;
    this.#consumer = consumer;
    if (!isFirst) return;
    if (this.#response.destroyed) {
      this.#disconnect();
      return;
    }
    this.#response.on("close", () => this.#disconnect());
    // The answer to a pipelined request waits for its turn, and would not hear of the end.
    if (this.#response.socket === null)
      this.#request.socket.once("close", () => this.#disconnect());
  }

  defer(): void {
    if (this.#consumer !== undefined) this.#options.flusher.defer(this.#consumer);
  }

  /** Head and body leave in one plain write; `end(text)` would add an empty chunk to it. */
  #writeAll(body: ReplyBody, length: number): void {
    const response = this.#response;
    response.cork();
    if (typeof body === "string") {
      response.write(body, length === body.length ? "latin1" : "utf8");
    } else if (body instanceof Uint8Array) response.write(body);
    else for (const piece of body) response.write(piece);
    response.uncork();
  }

  /**
   * Takes a little more of a body that was refused before the connection is closed: closing at once
   * would reset it, and a client that still sends would lose the answer.
   */
  #linger(): void {
    const end = (): void => {
      clearTimeout(timer);
      this.#response.end();
    };
    const timer = setTimeout(end, LINGER_MS).unref();
    let left = MAX_LINGER_BYTES;
    this.#request.on("data", (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) end();
    });
    this.#request.once("end", end);
    this.#response.once("close", () => clearTimeout(timer));
  }

  #writeChunk(chunk: string | Uint8Array): boolean {
    const response = this.#response;
    return typeof chunk === "string"
      ? response.write(chunk, encodingOf(chunk))
      : response.write(chunk);
  }

  /**
   * The socket, where a chunk may be written past the response: nobody came in between, and the response has its
   * turn, with which Node has written all that was kept for it.
   */
  #socket(): Socket | undefined {
    const response = this.#response;
    const { socket } = response;
    const isPlain =
      this.#isStreaming &&
      socket !== null &&
      response.chunkedEncoding &&
      response.write === ServerResponse.prototype.write;
    return isPlain ? socket : undefined;
  }

  #disconnect(): void {
    this.#consumer?.disconnected();
  }

  /** Gives a client up that takes nothing of what waits for it. Node counts partial writes as progress. */
  #watch(): void {
    const response = this.#response;
    if (this.#isWatched || response.writableLength === 0) return;
    this.#isWatched = true;
    if (!this.#hasWatcher) response.on("timeout", () => this.#giveUp());
    this.#hasWatcher = true;
    response.setTimeout(this.#options.writeStallMs);
  }

  #unwatch(): void {
    if (!this.#isWatched) return;
    this.#isWatched = false;
    this.#response.socket?.setTimeout(0);
  }

  #giveUp(): void {
    if (!this.#isWatched) return;
    this.#consumer?.stalled();
    this.#response.destroy();
  }
}

/** One chunk in one write; Node makes four pieces of it. */
function writeFramed(socket: Socket, text: string): boolean {
  const length = Buffer.byteLength(text);
  const frame = `${length.toString(16)}\r\n${text}\r\n`;
  return socket.write(frame, length === text.length ? "latin1" : "utf8");
}

function lengthOf(body: ReplyBody): number {
  if (typeof body === "string") return Buffer.byteLength(body);
  if (body instanceof Uint8Array) return body.byteLength;
  let length = 0;
  for (const piece of body) length += lengthOf(piece);
  return length;
}

function encodingOf(text: string): "latin1" | "utf8" {
  return Buffer.byteLength(text) === text.length ? "latin1" : "utf8";
}
