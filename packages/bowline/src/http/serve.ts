import { assertOptions } from "../base/known-members.ts";
import type { Activity } from "./answer/admission.ts";
import { Endpoint, type ExchangeSource, type Principal } from "./endpoint.ts";
import { ENDPOINT_OPTIONS, type EndpointOptions } from "./options.ts";
import type { Reply } from "./respond.ts";
import { Ticker } from "./answer/ticker.ts";
import { readBody } from "./web-body.ts";
import { WebHead, WebOutlet } from "./web.ts";

export interface ServeHttpOptions extends EndpointOptions {}

/** Answers web requests. */
export interface FetchHandler {
  (request: Request): Promise<Response>;
  /** What is at work now. */
  activity(): Activity;
  /**
   * Turns new requests away, ends subscriptions and lets calls finish for `closeGraceMs`, then aborts
   * them. Never rejects.
   */
  close(): Promise<void>;
}

/**
 * Serves an exchange over Streamable HTTP, on any runtime with the Fetch API.
 *
 * Answers with one JSON body, or with an event stream if the exchange sends a notification before its
 * result. A client that closes the stream cancels the call: its `signal` aborts.
 *
 * Serves the names `localhost`, `127.0.0.1` and `[::1]` alone until `allowedHosts` names others, or
 * web pages could reach a server of this machine by a name of their own.
 *
 * Never rejects. Failures become responses; those that are our own fault also reach `onError`.
 *
 * @example
 * const server = createServer({ name: "clock", version: "1.0.0" });
 * server.tool("now", { description: "Current time" }, () => new Date().toISOString());
 * export default { fetch: serveHttp(server, { allowedHosts: ["clock.example.com"] }) };
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 */
export function serveHttp(source: ExchangeSource, options: ServeHttpOptions = {}): FetchHandler {
  assertOptions("serveHttp", options, ENDPOINT_OPTIONS);
  const endpoint = new Endpoint(source, options, "serveHttp");
  const handler = (request: Request): Promise<Response> => handle(endpoint, request);
  return Object.assign(handler, {
    activity: () => endpoint.activity,
    close: () => endpoint.close(),
  });
}

async function handle(endpoint: Endpoint, request: Request): Promise<Response> {
  const head = new WebHead(request);
  // Some platforms end the timers of a request with it, so that none can be shared.
  const ticker = new Ticker(endpoint.every, "stop-when-empty");
  const { limits } = endpoint;
  const outlet = new WebOutlet(request, { headers: endpoint.headersFor(head), ticker, limits });
  const refusal = endpoint.checkHead(head) ?? checkUnread(endpoint, request);
  if (refusal !== undefined) outlet.send(refusal);
  else await receive({ endpoint, request, head, outlet, ticker });
  return outlet.response;
}

interface WebExchange {
  readonly endpoint: Endpoint;
  readonly request: Request;
  readonly head: WebHead;
  readonly outlet: WebOutlet;
  readonly ticker: Ticker;
}

async function receive(exchange: WebExchange): Promise<void> {
  const { endpoint, request, head, outlet, ticker } = exchange;
  let principal: Principal | undefined;
  if (endpoint.isGuarded) {
    const verdict = await endpoint.authorize(head);
    if (verdict.reply !== undefined) {
      outlet.send(verdict.reply);
      return;
    }
    principal = verdict.principal;
  }
  try {
    const body = await readBody(request, endpoint.limits, ticker);
    if (typeof body === "string") outlet.send(endpoint.refuse(body));
    else endpoint.receive({ head, body, principal, outlet, ticker });
  } catch {
    // The body broke off: whoever sent it is gone, and the response is for the platform alone.
    outlet.destroy();
  }
}

function checkUnread(endpoint: Endpoint, request: Request): Reply | undefined {
  if (!request.bodyUsed) return undefined;
  return endpoint.failSetup(
    "the body was read by something else: hand the request to this handler first",
  );
}
