import { jsonSchemaOf, type ToolSpec } from "../tools.ts";
import { LISTEN, META_CAPABILITIES, META_VERSION, REVISION } from "../wire.ts";

/** What is read of a request once it is parsed; nothing of it is trusted yet. */
interface Message {
  readonly jsonrpc?: unknown;
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: {
    readonly name?: unknown;
    readonly arguments?: { readonly a?: unknown; readonly b?: unknown };
    readonly _meta?: Readonly<Record<string, unknown>>;
  };
}
export interface FloorAnswer {
  readonly status: number;
  readonly body: object;
  /** The id of a request to listen, which has a stream in place of the body. */
  readonly listener?: unknown;
}
/** The value of a header, by its lower-case name. */
export type HeaderOf = (name: string) => string | string[] | null | undefined;

const INVALID_REQUEST = -32600;
const METHOD_NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;
const HEADER_MISMATCH = -32020;

/** The least that answers: one table of tools, a result of constant shape, no framework. */
export class FloorRpc {
  readonly #byName: ReadonlyMap<string, ToolSpec>;
  readonly #listed: readonly object[];

  constructor(tools: readonly ToolSpec[]) {
    this.#byName = new Map(tools.map((tool) => [tool.name, tool]));
    this.#listed = tools.map(({ name, title, description, fields }) => {
      return { name, title, description, inputSchema: jsonSchemaOf(fields) };
    });
  }

  /** Parse, check the mandatory headers against the body, answer. */
  overHttp(text: string, header: HeaderOf): FloorAnswer {
    const message: Message = JSON.parse(text);
    const fault = faultOfHead(header) ?? faultOfBody(message, header);
    if (fault === undefined && message.method === LISTEN) {
      return { status: 200, body: {}, listener: message.id };
    }
    if (fault === undefined) return { status: 200, body: this.answer(message) };
    return { status: 400, body: { jsonrpc: "2.0", id: message.id ?? null, error: fault } };
  }

  answer(message: Message): object {
    const { id, method, params } = message;
    if (method === "tools/list") {
      const result = {
        resultType: "complete",
        tools: this.#listed,
        ttlMs: 0,
        cacheScope: "public",
      };
      return { jsonrpc: "2.0", id, result };
    }
    if (method === "server/discover") {
      const capabilities = { tools: {} };
      const result = { resultType: "complete", supportedVersions: [REVISION], capabilities };
      return { jsonrpc: "2.0", id, result: { ...result, ttlMs: 0, cacheScope: "public" } };
    }
    if (method !== "tools/call") return refusal(id, METHOD_NOT_FOUND, "method not found");
    const tool = this.#byName.get(String(params?.name));
    if (tool === undefined) return refusal(id, INVALID_PARAMS, "unknown tool");
    const text = tool.run({ ...params?.arguments });
    return {
      jsonrpc: "2.0",
      id,
      result: { resultType: "complete", content: [{ type: "text", text }] },
    };
  }
}

function refusal(id: unknown, code: number, message: string): object {
  return { jsonrpc: "2.0", id, error: { code, message } };
}

function faultOfHead(header: HeaderOf): object | undefined {
  if (header("origin") !== undefined && header("origin") !== null) {
    return { code: INVALID_REQUEST, message: "origin not allowed" };
  }
  if (header("content-type") !== "application/json") {
    return { code: INVALID_REQUEST, message: "content type must be application/json" };
  }
  const accept = String(header("accept"));
  if (!accept.includes("application/json") || !accept.includes("text/event-stream")) {
    return { code: INVALID_REQUEST, message: "not acceptable" };
  }
  return undefined;
}

function faultOfBody(message: Message, header: HeaderOf): object | undefined {
  const { jsonrpc, id, method, params } = message;
  const isId = typeof id === "string" || Number.isInteger(id);
  if (jsonrpc !== "2.0" || typeof method !== "string" || !isId) {
    return { code: INVALID_REQUEST, message: "invalid request" };
  }
  const { _meta: meta } = params ?? {};
  if (meta?.[META_VERSION] !== REVISION || typeof meta[META_CAPABILITIES] !== "object") {
    return { code: INVALID_PARAMS, message: "invalid envelope" };
  }
  if (header("mcp-protocol-version") !== REVISION || header("mcp-method") !== method) {
    return { code: HEADER_MISMATCH, message: "header mismatch" };
  }
  return method === "tools/call" ? faultOfCall(message, header) : undefined;
}

function faultOfCall({ params }: Message, header: HeaderOf): object | undefined {
  if (header("mcp-name") !== params?.name) {
    return { code: HEADER_MISMATCH, message: "header mismatch" };
  }
  const args = params?.arguments;
  if (typeof args?.a === "number" && typeof args.b === "number") return undefined;
  return { code: INVALID_PARAMS, message: "invalid arguments" };
}
