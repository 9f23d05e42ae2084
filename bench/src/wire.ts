/** What goes over the wire in this benchmark, the same for every peer. */
export const REVISION = "2026-07-28";
const PREFIX = "io.modelcontextprotocol/";
export const META_VERSION = `${PREFIX}protocolVersion`;
export const META_CAPABILITIES = `${PREFIX}clientCapabilities`;

export type Work = "call" | "list";
export const METHODS: Readonly<Record<Work, string>> = { call: "tools/call", list: "tools/list" };

export const LISTEN = "subscriptions/listen";
export const META_SUBSCRIPTION_ID = `${PREFIX}subscriptionId`;

const ENVELOPE = JSON.stringify({
  [META_VERSION]: REVISION,
  [`${PREFIX}clientInfo`]: { name: "bench", version: "1.0.0" },
  [META_CAPABILITIES]: {},
});

/** One request, and what its answer must hold. */
export interface Sent {
  readonly body: string;
  readonly expected: string;
}

/** Request number `id`; every call adds other numbers, so that nothing can be answered from a cache. */
export function requestOf(work: Work, id: number): Sent {
  const head = `{"jsonrpc":"2.0","id":${id},"method":"${METHODS[work]}","params":{`;
  if (work === "list") return { body: `${head}"_meta":${ENVELOPE}}}`, expected: `"name":"add"` };
  const a = id % 9973;
  const body = `${head}"name":"add","arguments":{"a":${a},"b":7},"_meta":${ENVELOPE}}}`;
  return { body, expected: `"text":"${a + 7}"` };
}

/** A whole request to hear of changes to the list of tools. */
export function listenRequest(id: number, port: number, path: string): string {
  const params = `{"notifications":{"toolsListChanged":true},"_meta":${ENVELOPE}}`;
  const body = `{"jsonrpc":"2.0","id":${id},"method":"${LISTEN}","params":${params}}`;
  return `${headOf(LISTEN, [], port, path)}${body.length}\r\n\r\n${body}`;
}

/** What an event of such a stream holds, besides its method. */
export function subscriptionOf(id: number): string {
  return `"${META_SUBSCRIPTION_ID}":${id}}`;
}

/** The head of a POST, up to where the length of its body goes. */
export function httpHead(work: Work, port: number, path: string): string {
  return headOf(METHODS[work], work === "call" ? ["mcp-name: add"] : [], port, path);
}

function headOf(method: string, more: readonly string[], port: number, path: string): string {
  const lines = [
    `POST ${path} HTTP/1.1`,
    `host: 127.0.0.1:${port}`,
    "content-type: application/json",
    "accept: application/json, text/event-stream",
    `mcp-protocol-version: ${REVISION}`,
    `mcp-method: ${method}`,
    ...more,
    "content-length: ",
  ];
  return lines.join("\r\n");
}

interface Answer {
  readonly id?: unknown;
  readonly result?: {
    readonly resultType?: unknown;
    readonly tools?: readonly { readonly inputSchema?: { readonly type?: unknown } }[];
    readonly nextCursor?: unknown;
  };
}

/** Why an answer is wrong, checked in full; undefined if it is right. */
export function faultOf(text: string, work: Work, id: number, tools: number): string | undefined {
  const answer: Answer = JSON.parse(text);
  if (answer.id !== id) return `answers ${JSON.stringify(answer.id)}, not ${id}`;
  if (answer.result?.resultType !== "complete") return `no complete result: ${text.slice(0, 200)}`;
  if (work === "call") return undefined;
  if (answer.result.nextCursor !== undefined) return "the list comes in pages";
  const listed = answer.result.tools ?? [];
  if (listed.length !== tools) return `${listed.length} tools in place of ${tools}`;
  const bad = listed.filter((tool) => tool.inputSchema?.type !== "object");
  return bad.length > 0 ? `${bad.length} tools without a schema` : undefined;
}
