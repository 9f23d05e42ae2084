import { LimitError, TransportError } from "../base/errors.ts";
import { MAX_PEER_TEXT_CHARS } from "../base/limits.ts";
import { decodeServerMessage } from "../jsonrpc/decode.ts";
import type { JsonRpcError, JsonRpcResult } from "../jsonrpc/message.ts";
import type { CallContext } from "../protocol/exchange.ts";
import { decodeMessages } from "../sse/decode.ts";

export interface ReadReplyOptions {
  readonly context: CallContext;
  readonly maxResponseBytes: number;
  /** Where the request went; a redirect may be relative to it. */
  readonly endpoint: string;
}

/** The response a server gives to one request, after its notifications were handed to the context. */
export async function readReply(
  response: Response,
  options: ReadReplyOptions,
): Promise<JsonRpcResult | JsonRpcError> {
  const { body } = response;
  const type = mediaTypeOf(response);
  if (body !== null && type === "text/event-stream" && response.ok)
    return readStream(body, options);
  if (body !== null && type === "application/json") {
    const message = decodeServerMessage(await readBytes(body, options.maxResponseBytes));
    if (!("method" in message)) return message;
  }
  throw await refusal(response, options.endpoint);
}

async function readStream(
  body: ReadableStream<Uint8Array>,
  { context, maxResponseBytes }: ReadReplyOptions,
): Promise<JsonRpcResult | JsonRpcError> {
  for await (const text of decodeMessages(body, { maxEventChars: maxResponseBytes })) {
    const message = decodeServerMessage(text);
    if (!("method" in message)) return message;
    await context.notify(message);
  }
  throw new TransportError("the event stream ended before the answer", {
    code: "ERR_MCP_TRANSPORT_CLOSED",
    stage: "http",
  });
}

async function readBytes(body: ReadableStream<Uint8Array>, max: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > max) {
      throw new LimitError("maxResponseBytes", max, `the answer is larger than ${max} bytes`);
    }
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

/** Why a response that is no answer was given, as far as it can be told. */
async function refusal(response: Response, endpoint: string): Promise<TransportError> {
  const { status } = response;
  await response.body?.cancel();
  const detail = detailOf(response, endpoint);
  return new TransportError(
    `the server answered ${status}: ${detail}`.slice(0, MAX_PEER_TEXT_CHARS),
    {
      code: "ERR_MCP_TRANSPORT_STATUS",
      status,
      stage: "http",
    },
  );
}

function detailOf(response: Response, endpoint: string): string {
  const { status, headers } = response;
  const location = headers.get("location");
  if (status >= 300 && status < 400 && location !== null) {
    return `it redirects to ${originOf(location, endpoint)}, which is not followed`;
  }
  if (status === 404 || status === 405) {
    const hint = new URL(endpoint).pathname === "/mcp" ? "" : ", most are at the path /mcp";
    return `there is no MCP server at ${placeOf(endpoint)}${hint}`;
  }
  return `its body is ${mediaTypeOf(response) || "of no type"}, not a JSON-RPC message`;
}

/** A URL without what may be secret in it. */
export function placeOf(endpoint: string): string {
  const { origin, pathname } = new URL(endpoint);
  return origin + pathname;
}

function originOf(location: string, base: string): string {
  return URL.canParse(location, base) ? new URL(location, base).origin : "a place that is no URL";
}

/** Type and subtype in lower case; empty where it is missing or no token, so never text to show unseen. */
function mediaTypeOf(response: Response): string {
  const type = (response.headers.get("content-type") ?? "").split(";", 1)[0] ?? "";
  const name = type.trim().toLowerCase();
  return /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+$/.test(name) ? name : "";
}
