import { RpcError } from "../base/errors.ts";
import { CLOSE_GRACE_MS, KEEP_ALIVE_MS, type HttpServerLimits } from "../base/limits.ts";
import { isJsonObject } from "../json/value.ts";
import { decodeClientMessage, isRequest } from "../jsonrpc/decode.ts";
import { INTERNAL_ERROR, LIMIT_REACHED } from "../jsonrpc/error-code.ts";
import type { JsonRpcRequest, RequestId } from "../jsonrpc/message.ts";
import { MessageRefusal } from "../jsonrpc/refusal.ts";
import { internalError, invalidRequest } from "../protocol/errors.ts";
import {
  toExchangeHolder,
  type ExchangeHolder,
  type ExchangeSource,
  type Principal,
} from "../protocol/exchange.ts";
import { PROTOCOL_VERSION } from "../protocol/versioning.ts";
import { Admission, type Activity } from "./answer/admission.ts";
import { admitNotification, admitRequest } from "./request/admit.ts";
import { isMirror, toRequestHead, type Head } from "./request/head.ts";
import { Latch } from "./answer/latch.ts";
import { resolveLimits } from "./limits.ts";
import { acceptableTo, isJson } from "./request/media-type.ts";
import type { EndpointOptions } from "./options.ts";
import { createGate, type Gate } from "./request/origin.ts";
import {
  emptyReply,
  errorReply,
  refusalReply,
  type FlatHeaders,
  type Refusal,
  type Reply,
} from "./respond.ts";
import type { ReceivedRequest } from "./request/received-request.ts";
import { createFaultReport } from "../base/fault-report.ts";
import { ServedCall, type CallEnvironment } from "./answer/served-call.ts";
import { statusOfRefusal } from "./status.ts";
import { everyInterval, type Every } from "./answer/ticker.ts";

export type { ExchangeSource, Principal } from "../protocol/exchange.ts";

/** What came of asking who asks. */
export type Verdict =
  | { readonly principal: Principal; readonly reply?: undefined }
  | { readonly reply: Reply };

const LISTEN = "subscriptions/listen";

/** Streamable HTTP, but for reading requests and writing answers: that is what the faces do. */
export class Endpoint {
  readonly limits: HttpServerLimits;
  readonly every: Every;
  readonly #options: EndpointOptions;
  readonly #source: ExchangeHolder;
  readonly #paths: readonly string[];
  readonly #gate: Gate;
  readonly #environment: CallEnvironment;

  /** Throws a `TypeError` or `RangeError` for options that cannot be meant. */
  constructor(source: ExchangeSource, options: EndpointOptions, caller: string) {
    this.#options = options;
    this.#source = toExchangeHolder(source, caller);
    this.limits = resolveLimits(options.limits);
    this.every = options.every ?? everyInterval;
    this.#paths = pathsOf(options.path ?? "/mcp");
    this.#gate = createGate(options, options.authorize !== undefined);
    this.#environment = {
      exchange: this.#source.exchange,
      admission: new Admission(this.limits, this.#source.boundsSubscriptions !== true),
      limits: this.limits,
      keepAliveMs: options.keepAliveMs ?? KEEP_ALIVE_MS,
      calls: new Set(),
      report: createFaultReport(options),
    };
  }

  get activity(): Activity {
    return this.#environment.admission.activity;
  }

  /** Whether `authorize` has to be asked before the body is read. */
  get isGuarded(): boolean {
    return this.#options.authorize !== undefined;
  }

  /** Headers every answer to this request carries besides its own. */
  headersFor(head: Head): FlatHeaders {
    return this.#gate.headersFor(head);
  }

  /** The answer to a request whose body need not be read. */
  checkHead(head: Head): Reply | undefined {
    if (head.fields > this.limits.maxHeaderFields) {
      return errorReply(431, invalidRequest("too many header fields"), { close: true });
    }
    if (head.repeated !== undefined && !isMirror(head.repeated)) {
      const error = invalidRequest(`header ${head.repeated} came more than once`);
      return errorReply(400, error, { close: true });
    }
    const foreign = this.#gate.check(head);
    if (foreign !== undefined) return foreign;
    if (!this.#paths.includes(head.path)) return emptyReply(404);
    if (head.method !== "POST") return this.#checkMethod(head);
    return this.#environment.admission.refuse() ?? this.#checkContent(head);
  }

  /** Who asks, or the answer. Never rejects. */
  async authorize(head: Head): Promise<Verdict> {
    try {
      const answer: { readonly principal?: unknown; readonly refusal?: Refusal } =
        (await this.#options.authorize?.(toRequestHead(head))) ?? {};
      if (answer.refusal !== undefined) return { reply: refusalReply(answer.refusal) };
      if (isPrincipal(answer.principal)) return { principal: answer.principal };
      throw new TypeError("authorize gave neither a refusal nor a whole principal");
    } catch (error) {
      return { reply: this.fail(error) };
    }
  }

  /** Answers through the outlet, now or later. Never throws. */
  receive(request: ReceivedRequest): void {
    const { head, outlet } = request;
    const { fallback } = this.#options;
    const isModern =
      head.method === "POST" && head.header("mcp-protocol-version") === PROTOCOL_VERSION;
    if (isModern || fallback === undefined) {
      this.#receive(request);
      return;
    }
    fallback(request, () => this.#receive(request)).catch((error: unknown) =>
      outlet.send(this.fail(error)),
    );
  }

  /** The answer to a body over the limit, one that comes too slowly, or a request too old to have a head. */
  refuse(reason: "size" | "pace" | "version"): Reply {
    if (reason === "version") {
      return errorReply(400, invalidRequest("HTTP/1.1 is spoken here"), { close: true });
    }
    if (reason === "pace") {
      return errorReply(408, invalidRequest("the body came too slowly"), { close: true });
    }
    const max = this.limits.maxRequestBytes;
    const error = new RpcError(LIMIT_REACHED, `a body of more than ${max} bytes is not read`);
    return errorReply(413, error, { close: true });
  }

  /** Reports a fault before dispatch; gives the answer to it. */
  fail(error: unknown, id?: RequestId): Reply {
    const ref = this.#environment.report(error, "http");
    return errorReply(500, internalError(ref, error), { id, close: true });
  }

  /** The same for a fault of the program around us, which is told how to mend it. */
  failSetup(message: string): Reply {
    this.#environment.report(new TypeError(message), "http");
    return errorReply(500, new RpcError(INTERNAL_ERROR, message), { close: true });
  }

  /** Turns new requests away, ends subscriptions, and lets calls finish for a while. Never rejects. */
  async close(): Promise<void> {
    const { admission, calls } = this.#environment;
    const reason = new DOMException("the server is shutting down", "AbortError");
    const drained = admission.drain();
    for (const call of calls) if (call.isListening) call.wind(reason);
    await this.#within(this.#options.closeGraceMs ?? CLOSE_GRACE_MS, drained);
    for (const call of calls) call.cancel(reason);
  }

  #checkMethod(head: Head): Reply | undefined {
    const { fallback } = this.#options;
    const isOlder = head.method === "GET" || head.method === "DELETE";
    if (isOlder && fallback !== undefined) return undefined;
    const preflight = head.method === "OPTIONS" ? this.#gate.preflight(head) : undefined;
    return preflight ?? emptyReply(405, ["Allow", this.#gate.methods]);
  }

  #checkContent(head: Head): Reply | undefined {
    const encoding = head.header("content-encoding");
    if (encoding !== undefined && encoding !== "identity") {
      const headers = ["Accept-Encoding", "identity"];
      return errorReply(415, invalidRequest("a body comes as it is, not encoded"), { headers });
    }
    if (!isJson(head.header("content-type"))) {
      return errorReply(415, invalidRequest("the media type of a body is application/json"));
    }
    const { json, eventStream } = acceptableTo(head.header("accept"));
    if (!json && !eventStream) return notAcceptable();
    const length = head.header("content-length");
    const isTooLarge = length !== undefined && Number(length) > this.limits.maxRequestBytes;
    return isTooLarge ? this.refuse("size") : undefined;
  }

  #receive(request: ReceivedRequest): void {
    const { head, body, outlet } = request;
    let id: RequestId | undefined;
    try {
      if (head.method !== "POST") {
        outlet.send(emptyReply(405, ["Allow", this.#gate.methods]));
        return;
      }
      const message = decodeClientMessage(body, this.limits);
      if (!isRequest(message)) {
        admitNotification(head, message, this.limits.maxMirroredBytes);
        outlet.send(emptyReply(202));
        return;
      }
      id = message.id;
      this.#start(request, message);
    } catch (error) {
      outlet.send(this.#refuse(error, error instanceof MessageRefusal ? error.id : id));
    }
  }

  #start(request: ReceivedRequest, message: JsonRpcRequest): void {
    const { head, outlet, ticker, principal } = request;
    const { id, method } = message;
    const call = admitRequest(head, message, this.#source, this.limits.maxMirroredBytes);
    const acceptable = acceptableTo(head.header("accept"));
    const kind = method === LISTEN ? "listen" : "call";
    if (kind === "listen" && !acceptable.eventStream) {
      outlet.send(notAcceptable(id));
      return;
    }
    const slot = this.#environment.admission.enter(kind, principal, id);
    if ("status" in slot) outlet.send(slot);
    else {
      const site = { outlet, ticker, acceptable, slot, principal };
      new ServedCall(id, method, this.#environment, site).start(call);
    }
  }

  #refuse(error: unknown, id: RequestId | undefined): Reply {
    if (!(error instanceof RpcError)) return this.fail(error, id);
    return errorReply(statusOfRefusal(error.rpcCode), error, { id });
  }

  /** Waits for a promise, but not for ever. */
  #within(ms: number, promise: Promise<void>): Promise<void> {
    const passed = new Latch<void>();
    const stop = this.every(ms, () => passed.open());
    return Promise.race([promise, passed.promise]).finally(stop);
  }
}

function isPrincipal(value: unknown): value is Principal {
  return (
    isJsonObject(value) &&
    [value["issuer"], value["clientId"], value["subject"]].every((text) => typeof text === "string")
  );
}

function notAcceptable(id?: RequestId): Reply {
  const message = "Accept names neither application/json nor text/event-stream";
  return errorReply(406, invalidRequest(message), { id });
}

/** Both spellings are served: a redirect would lose the body or the credentials of some clients. */
function pathsOf(path: string): readonly string[] {
  if (!/^\/[^?#\s]*$/.test(path)) {
    throw new TypeError(`path: ${JSON.stringify(path)} is not the path of a URL`);
  }
  const bare = path.endsWith("/") ? path.slice(0, -1) : path;
  return [bare === "" ? "/" : bare, `${bare}/`];
}
