import type { HttpServerLimits } from "../base/limits.ts";
import { concat } from "./request/body-pieces.ts";
import { parseTarget, SINGLE_HEADERS, type Head } from "./request/head.ts";
import { Latch } from "./answer/latch.ts";
import type { FlatHeaders, Outlet, OutletConsumer, Reply, ReplyBody } from "./respond.ts";
import type { Ticker, Ticking } from "./answer/ticker.ts";

/** Bytes of an event stream the platform is given ahead of what the client takes. */
const STREAM_AHEAD_BYTES = 64 * 1024;

/** The head of a web request. */
export class WebHead implements Head {
  readonly method: string;
  readonly path: string;
  readonly authority: string | undefined;
  readonly scheme: "http" | "https";
  readonly port = undefined;
  readonly isLoopback = undefined;
  readonly repeated: string | undefined;
  readonly #headers: Headers;

  constructor(request: Request) {
    const { path, authority } = parseTarget(request.url);
    this.#headers = request.headers;
    this.method = request.method;
    this.path = path;
    this.authority = authority;
    this.scheme = request.url.startsWith("https:") ? "https" : "http";
    this.repeated = findRepeated(request.headers);
  }

  get fields(): number {
    return [...this.#headers.keys()].length;
  }

  header(name: string): string | undefined {
    const value = this.#headers.get(name);
    if (value !== null) return value;
    // Some platforms keep the host in the URL alone.
    return name === "host" ? this.authority : undefined;
  }
}

/**
 * `Headers` joins what came twice. None of these may hold the joint, so a value with it counts as
 * repeated; values of `Mcp-Param-*` may, and are only compared.
 */
function findRepeated(headers: Headers): string | undefined {
  return SINGLE_HEADERS.find((name) => headers.get(name)?.includes(", "));
}

/** Turns what is written into a `Response`. */
export class WebOutlet implements Outlet, Ticking {
  readonly #response = new Latch<Response>();
  readonly #headers: FlatHeaders;
  readonly #ticker: Ticker;
  readonly #writeStallMs: number;
  readonly #signal: AbortSignal;
  readonly #encoder = new TextEncoder();
  #consumer: OutletConsumer | undefined;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #isOver = false;
  #behindSinceMs: number | undefined;

  constructor(
    request: Request,
    options: {
      readonly headers: FlatHeaders;
      readonly ticker: Ticker;
      readonly limits: HttpServerLimits;
    },
  ) {
    this.#signal = request.signal;
    this.#headers = options.headers;
    this.#ticker = options.ticker;
    this.#writeStallMs = options.limits.writeStallMs;
  }

  get response(): Promise<Response> {
    return this.#response.promise;
  }

  get queued(): number {
    const room = this.#controller?.desiredSize ?? STREAM_AHEAD_BYTES;
    return STREAM_AHEAD_BYTES - room;
  }

  send({ status, headers, body, close }: Reply): void {
    if (this.#isOver || this.#controller !== undefined) return;
    this.#finish();
    const fields = toFields([...headers, ...this.#headers]);
    if (close) fields.push(["Connection", "close"]);
    const content = status === 204 || body === "" ? null : toBody(body, this.#encoder);
    this.#response.open(new Response(content, { status, headers: fields }));
  }

  open(status: number, headers: FlatHeaders, chunk: string): boolean {
    if (this.#isOver || this.#controller !== undefined) return true;
    const stream = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: () => {
          this.#behindSinceMs = undefined;
          this.#ticker.delete(this);
          this.#consumer?.drained();
        },
        cancel: () => this.#disconnect(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: STREAM_AHEAD_BYTES }),
    );
    const fields = toFields([...headers, ...this.#headers]);
    this.#response.open(new Response(stream, { status, headers: fields }));
    return chunk === "" || this.write(chunk);
  }

  write(chunk: string | Uint8Array): boolean {
    if (this.#isOver || this.#controller === undefined) return true;
    this.#controller.enqueue(typeof chunk === "string" ? this.#encoder.encode(chunk) : chunk);
    if ((this.#controller.desiredSize ?? 0) > 0) return true;
    if (this.#behindSinceMs === undefined) {
      this.#behindSinceMs = this.#ticker.nowMs;
      this.#ticker.add(this);
    }
    return false;
  }

  end(chunk: string): void {
    if (this.#isOver || this.#controller === undefined) return;
    if (chunk !== "") this.#controller.enqueue(this.#encoder.encode(chunk));
    this.#controller.close();
    this.#finish();
  }

  destroy(): void {
    if (this.#isOver) return;
    this.#finish();
    const reason = new DOMException("the answer was cut", "AbortError");
    if (this.#controller !== undefined) this.#controller.error(reason);
    // Nobody reads it: the platform wants a response all the same.
    else this.#response.open(new Response(null, { status: 503 }));
  }

  attach(consumer: OutletConsumer): void {
    const isFirst = this.#consumer === undefined;
    this.#consumer = consumer;
    if (!isFirst) return;
    if (this.#signal.aborted) this.#disconnect();
    else this.#signal.addEventListener("abort", this.#onAbort);
  }

  defer(): void {
    // A task of its own: microtasks of the handler come first.
    setTimeout(() => this.#consumer?.flush(), 0);
  }

  tick(nowMs: number): void {
    if (this.#behindSinceMs === undefined || nowMs - this.#behindSinceMs < this.#writeStallMs)
      return;
    this.#consumer?.stalled();
    this.destroy();
  }

  readonly #onAbort = (): void => this.#disconnect();

  #disconnect(): void {
    this.#consumer?.disconnected();
    this.destroy();
  }

  #finish(): void {
    this.#isOver = true;
    this.#ticker.delete(this);
    this.#signal.removeEventListener("abort", this.#onAbort);
  }
}

function toFields(headers: FlatHeaders): [name: string, value: string][] {
  const fields: [string, string][] = [];
  for (let index = 0; index < headers.length; index += 2) {
    fields.push([headers[index] ?? "", headers[index + 1] ?? ""]);
  }
  return fields;
}

function toBody(body: ReplyBody, encoder: TextEncoder): string | Uint8Array<ArrayBuffer> {
  if (typeof body === "string") return body;
  if (body instanceof Uint8Array) return new Uint8Array(body);
  return concat(body.map((piece) => (typeof piece === "string" ? encoder.encode(piece) : piece)));
}
