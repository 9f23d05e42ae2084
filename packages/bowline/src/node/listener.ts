import type { IncomingMessage, ServerResponse } from "node:http";
import { assertOptions } from "../base/known-members.ts";
import { MAX_DISCARDED_BYTES } from "../base/limits.ts";
import type { Activity } from "../http/answer/admission.ts";
import { Endpoint, type ExchangeSource, type Principal } from "../http/endpoint.ts";
import { ENDPOINT_OPTIONS, type EndpointOptions } from "../http/options.ts";
import type { Reply } from "../http/respond.ts";
import { Ticker } from "../http/answer/ticker.ts";
import { Flusher } from "./flusher.ts";
import { NodeHead } from "./head.ts";
import { NodeOutlet } from "./outlet.ts";
import { Upload } from "./upload.ts";

export interface ListenerOptions extends EndpointOptions {}

/** Handles requests of `node:http`, and of frameworks built on it. */
export interface NodeListener {
  (request: IncomingMessage, response: ServerResponse): void;
  /** What is at work now. */
  activity(): Activity;
  /**
   * Turns new requests away, ends subscriptions and lets calls finish for `closeGraceMs`, then aborts
   * them. Never rejects. The server the listener hangs on stays open.
   */
  close(): Promise<void>;
}

/**
 * Serves an exchange over Streamable HTTP as a request listener of `node:http`.
 *
 * Wants the body unread: in Express mount it before body parsers, in Fastify hand it `request.raw` and
 * `reply.raw` from an `onRequest` hook. Never throws; faults of our own also reach `onError`.
 *
 * @example
 * const listener = createListener(server);
 * http.createServer(listener).listen(3000, "127.0.0.1");
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 */
export function createListener(
  source: ExchangeSource,
  options: ListenerOptions = {},
): NodeListener {
  assertOptions("createListener", options, ENDPOINT_OPTIONS);
  return listenerOf(new Endpoint(source, options, "createListener"));
}

export function listenerOf(endpoint: Endpoint): NodeListener {
  const ticker = new Ticker(endpoint.every);
  const face = new NodeFace(endpoint, ticker);
  const listener = (request: IncomingMessage, response: ServerResponse): void =>
    face.handle(request, response);
  return Object.assign(listener, {
    activity: () => endpoint.activity,
    close: () => endpoint.close(),
  });
}

class NodeFace {
  readonly #endpoint: Endpoint;
  readonly #ticker: Ticker;
  readonly #flusher = new Flusher();

  constructor(endpoint: Endpoint, ticker: Ticker) {
    this.#endpoint = endpoint;
    this.#ticker = ticker;
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    const endpoint = this.#endpoint;
    const head = new NodeHead(request);
    const outlet = new NodeOutlet(request, response, {
      headers: endpoint.headersFor(head),
      writeStallMs: endpoint.limits.writeStallMs,
      flusher: this.#flusher,
    });
    const exchange = { request, head, outlet };
    const refusal = endpoint.checkHead(head) ?? this.#checkRequest(exchange);
    if (refusal !== undefined) refuse(exchange, refusal);
    else if (endpoint.isGuarded) void this.#readGuarded(exchange);
    else this.#read(exchange, undefined);
  }

  async #readGuarded(exchange: NodeExchange): Promise<void> {
    const verdict = await this.#endpoint.authorize(exchange.head);
    if (verdict.reply !== undefined) refuse(exchange, verdict.reply);
    else this.#read(exchange, verdict.principal);
  }

  #read({ request, head, outlet }: NodeExchange, principal: Principal | undefined): void {
    const endpoint = this.#endpoint;
    const ticker = this.#ticker;
    const upload = new Upload(request, {
      limits: endpoint.limits,
      ticker,
      onBody: (body) => endpoint.receive({ head, body, principal, outlet, ticker }),
      onRefused: (reason) => outlet.send(endpoint.refuse(reason)),
    });
    upload.start();
  }

  #checkRequest({ request }: NodeExchange): Reply | undefined {
    if (request.httpVersionMajor < 1) return this.#endpoint.refuse("version");
    if (!request.readableEnded) return undefined;
    return this.#endpoint.failSetup(
      "the body was read by something else: mount this listener before body parsers",
    );
  }
}

interface NodeExchange {
  readonly request: IncomingMessage;
  readonly head: NodeHead;
  readonly outlet: NodeOutlet;
}

/** Answers without the body; the connection goes on only if what is left of the body is small. */
function refuse({ head, outlet }: NodeExchange, reply: Reply): void {
  const isSmall =
    head.header("transfer-encoding") === undefined &&
    Number(head.header("content-length") ?? 0) <= MAX_DISCARDED_BYTES;
  outlet.send(isSmall ? reply : { ...reply, close: true });
}
