import type { IncomingMessage, ServerResponse } from "node:http";
import type { Writable } from "node:stream";
import { LINGER_MS, MAX_LINGER_BYTES } from "../base/limits.ts";
import type { FlatHeaders, Outlet, OutletConsumer, Reply, ReplyBody } from "../http/respond.ts";

/** Above this a string is encoded once instead of being measured and then encoded. */
const MAX_STRING_WRITE = 64 * 1024;

/** Writes answers straight to a Node response. */
export class NodeOutlet implements Outlet {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #headers: FlatHeaders;
  readonly #writeStallMs: number;
  #consumer: OutletConsumer | undefined;
  #isWatched = false;
  #hasWatcher = false;
  #hasBegun = false;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    options: { readonly headers: FlatHeaders; readonly writeStallMs: number },
  ) {
    this.#request = request;
    this.#response = response;
    this.#headers = options.headers;
    this.#writeStallMs = options.writeStallMs;
  }

  get queued(): number {
    return this.#response.writableLength;
  }

  send({ status, headers, body, close }: Reply): void {
    const response = this.#response;
    if (response.destroyed || response.headersSent) return;
    const head: (string | number)[] = [...headers, ...this.#headers];
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

  open(status: number, headers: FlatHeaders): void {
    const response = this.#response;
    if (response.destroyed || response.headersSent) return;
    response.writeHead(status, [...headers, ...this.#headers]);
  }

  write(chunk: string | Uint8Array): boolean {
    const response = this.#response;
    if (response.destroyed) return true;
    const { socket } = response;
    // The head leaves with the first piece. After that, and when it is this answer's turn, a piece is one plain write:
    // `response.write` would make four of it, which a thousand listeners feel.
    const isDirect = this.#hasBegun && response.chunkedEncoding && socket !== null;
    this.#hasBegun = true;
    const isTaken = isDirect ? writeChunk(socket, chunk) : writeTo(response, chunk);
    if (!isTaken) this.#awaitDrain(isDirect ? socket : response);
    return isTaken;
  }

  #awaitDrain(target: Writable): void {
    this.#watch();
    target.once("drain", () => {
      this.#unwatch();
      this.#consumer?.drained();
    });
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
    // After the microtasks: a handler's next await comes first.
    queueMicrotask(() => process.nextTick(flush, this.#consumer));
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
    response.setTimeout(this.#writeStallMs);
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

function flush(consumer: OutletConsumer | undefined): void {
  consumer?.flush();
}

function lengthOf(body: ReplyBody): number {
  if (typeof body === "string") return Buffer.byteLength(body);
  if (body instanceof Uint8Array) return body.byteLength;
  let length = 0;
  for (const piece of body) length += lengthOf(piece);
  return length;
}

function writeTo(response: ServerResponse, piece: string | Uint8Array): boolean {
  return typeof piece === "string"
    ? response.write(piece, encodingOf(piece))
    : response.write(piece);
}

/** Writes a piece of an answer in the chunked coding of RFC 9112. */
function writeChunk(socket: Writable, piece: string | Uint8Array): boolean {
  const length = lengthOf(piece).toString(16);
  if (typeof piece === "string") {
    return socket.write(`${length}\r\n${piece}\r\n`, encodingOf(piece));
  }
  socket.write(`${length}\r\n`, "latin1");
  socket.write(piece);
  return socket.write("\r\n", "latin1");
}

function encodingOf(text: string): "latin1" | "utf8" {
  return Buffer.byteLength(text) === text.length ? "latin1" : "utf8";
}
