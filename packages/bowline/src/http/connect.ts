import { mirroredArgument } from "../protocol/header-parameters.ts";
import { McpError, RpcError, TransportError } from "../base/errors.ts";
import type { Known } from "../base/known-members.ts";
import { MAX_RESPONSE_BYTES } from "../base/limits.ts";
import { encodeRequest } from "../jsonrpc/encode.ts";
import type { JsonRpcError, JsonRpcResult } from "../jsonrpc/message.ts";
import { encodeParams, type Call } from "../protocol/call.ts";
import type { CallContext, Exchange, ExchangeHolder } from "../protocol/exchange.ts";
import type { Result } from "../protocol/result.ts";
import { placeOf, readReply } from "./reply.ts";
import { encodeHeaderValue, formatArgument, paramHeaderName } from "./param-headers.ts";

export interface ConnectHttpOptions {
  /** Sends the requests; the platform's own by default. Proxies and private authorities come in here. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
  /** Further headers of every request. Headers of the protocol win. */
  readonly headers?: { readonly [name: string]: string } | undefined;
  /** Of one JSON body, or of one event, after decompression. Default 16 MiB. */
  readonly maxResponseBytes?: number | undefined;
}

export const CONNECT_HTTP_OPTIONS: Known<ConnectHttpOptions> = {
  fetch: "function",
  headers: "object",
  maxResponseBytes: "number",
};

/**
 * The end of a connection to the server at `url`, over Streamable HTTP. Nothing is sent before the first call, and
 * nothing is open between calls.
 *
 * A call rejects with an `RpcError` of the server, with a `TransportError` where there is no answer
 * (redirects are not followed), with a `DecodeError` where the answer breaks the specification, and with
 * the signal's reason where it was aborted, which also cancels it at the server.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 */
export function connectHttp(url: string | URL, options: ConnectHttpOptions = {}): ExchangeHolder {
  const endpoint = parseEndpoint(url);
  const send = options.fetch ?? ((request) => fetch(request));
  const maxResponseBytes = options.maxResponseBytes ?? MAX_RESPONSE_BYTES;

  const exchange: Exchange = async (call, context) => {
    const request = new Request(endpoint, {
      method: "POST",
      headers: { ...options.headers, ...headersOf(call, context) },
      body: encodeRequest({
        jsonrpc: "2.0",
        id: context.id,
        method: call.method,
        params: encodeParams(call),
      }),
      // A redirect would carry credentials and arguments to a place nobody chose.
      redirect: "manual",
      signal: context.signal,
    });
    try {
      const response = await send(request);
      return resultOf(await readReply(response, { context, maxResponseBytes, endpoint }), context);
    } catch (error) {
      context.signal.throwIfAborted();
      throw error instanceof McpError ? error : cutOff(endpoint, error);
    }
  };
  return { exchange, mirrorsArguments: true };
}

function parseEndpoint(url: string | URL): string {
  const text = String(url);
  const { protocol, href } = URL.canParse(text) ? new URL(text) : { protocol: "", href: "" };
  if (protocol === "http:" || protocol === "https:") return href;
  const hint = /^[\w.-]+(?::\d+)?(?:\/|$)/.test(text) ? `: write http://${text}` : "";
  throw new TypeError(`connect: ${JSON.stringify(text)} is not an http or https URL${hint}`);
}

/** The headers a request repeats from its body (HDR-01 to HDR-11, XHDR-24). */
function headersOf(call: Call, context: CallContext): Record<string, string> {
  const headers: Record<string, string> = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": call.meta.protocolVersion,
    "mcp-method": call.method,
  };
  const name = nameOf(call);
  if (typeof name === "string") headers["mcp-name"] = encodeHeaderValue(name);
  for (const parameter of context.headerParameters ?? []) {
    const value = mirroredArgument(parameter, call.params["arguments"]);
    if (value === undefined) continue;
    const text = formatArgument(value);
    if (text === undefined) {
      throw new TypeError(`argument "${parameter.path.join(".")}" cannot be mirrored in a header`);
    }
    headers[paramHeaderName(parameter).toLowerCase()] = text;
  }
  return headers;
}

function nameOf(call: Call): unknown {
  switch (call.method) {
    case "tools/call":
    case "prompts/get":
      return call.params["name"];
    case "resources/read":
      return call.params["uri"];
    default:
      return undefined;
  }
}

function resultOf(message: JsonRpcResult | JsonRpcError, context: CallContext): Result {
  // An error about a request whose id could not be read is still the answer to this one request.
  if (message.id !== undefined && message.id !== context.id) {
    throw new TransportError("the answer is to another request");
  }
  if ("error" in message) {
    const { code, data } = message.error;
    throw new RpcError(code, message.error.message, { data, origin: "peer" });
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the client checks resultType and members next
  return message.result as Result;
}

function cutOff(endpoint: string, cause: unknown): TransportError {
  const code = systemCode(cause) ?? (cause instanceof Error ? systemCode(cause.cause) : undefined);
  const reason = code === undefined ? "" : `: ${code}`;
  return new TransportError(`no answer from ${placeOf(endpoint)}${reason}`, { cause });
}

/** What the system calls a failure, such as `ECONNREFUSED`; platforms keep it in different places. */
function systemCode(error: unknown): string | undefined {
  const code: unknown =
    typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : undefined;
}
