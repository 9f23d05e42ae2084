import { randomUUID } from "node:crypto";
import { createAnswers } from "./answers.ts";
import { importPeer } from "../../peers/index.mjs";
import {
  promptSummaries,
  textOfCall,
  textOfPrompt,
  textOfRead,
  type Named,
  type PromptGet,
  type PromptList,
  type ResourceRead,
  type ToolCall,
} from "./results.ts";
import type { Peer, Session, Target } from "./session.ts";

/** The members used here of `@modelcontextprotocol/client`, which is installed on demand only. */
interface OfficialClient {
  connect(transport: object): Promise<void>;
  getNegotiatedProtocolVersion(): string | undefined;
  listTools(): Promise<{ readonly tools: readonly Named[] }>;
  callTool(params: { name: string; arguments: object }): Promise<ToolCall>;
  listResources(): Promise<{ readonly resources: readonly { readonly uri: string }[] }>;
  listResourceTemplates(): Promise<{
    readonly resourceTemplates: readonly { readonly uriTemplate: string }[];
  }>;
  readResource(params: { uri: string }): Promise<ResourceRead>;
  listPrompts(): Promise<PromptList>;
  getPrompt(params: { name: string; arguments: object }): Promise<PromptGet>;
  complete(params: {
    ref: object;
    argument: { name: string; value: string };
  }): Promise<{ readonly completion: { readonly values: readonly string[] } }>;
  setRequestHandler(
    method: string,
    handler: (request: { readonly params: { readonly message: string } }) => Promise<object>,
  ): void;
  close(): Promise<void>;
}
interface ClientModule {
  readonly Client: new (info: object, options: object) => OfficialClient;
  readonly StreamableHTTPClientTransport: new (url: URL) => object;
}
interface StdioModule {
  readonly StdioClientTransport: new (parameters: object) => object;
}

/** The official client, which tries the modern revision first and falls back to older ones. */
export const publishedClient: Peer = {
  name: "@modelcontextprotocol/client 2.4.0",
  async open(target) {
    const { Client } = await importPeer<ClientModule>("@modelcontextprotocol/client");
    const capabilities = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };
    const client = new Client(
      { name: "bowline-interop", version: "1.0.0" },
      { versionNegotiation: { mode: "auto" }, capabilities },
    );
    const title = `plan-${randomUUID()}`;
    const answers = createAnswers(title);
    client.setRequestHandler("elicitation/create", async ({ params }) =>
      answers.elicit(params.message),
    );
    client.setRequestHandler("sampling/createMessage", async () => answers.sampled);
    client.setRequestHandler("roots/list", async () => ({ roots: answers.roots }));
    await client.connect(await transportTo(target));
    return {
      ...sessionOf(client),
      answersWith: { title },
    };
  },
};

async function transportTo(target: Target): Promise<object> {
  if (target.transport === "http") {
    const module = await importPeer<ClientModule>("@modelcontextprotocol/client");
    return new module.StreamableHTTPClientTransport(new URL(target.url));
  }
  const module = await importPeer<StdioModule>("@modelcontextprotocol/client/stdio");
  const { command, args } = target;
  return new module.StdioClientTransport({ command, args, stderr: "ignore" });
}

function sessionOf(client: OfficialClient): Session {
  return {
    revision: async () => client.getNegotiatedProtocolVersion(),
    tools: async () => (await client.listTools()).tools.map((tool) => tool.name),
    call: async (name, args) => textOfCall(await client.callTool({ name, arguments: args })),
    resources: async () => (await client.listResources()).resources.map((r) => r.uri),
    templates: async () =>
      (await client.listResourceTemplates()).resourceTemplates.map((t) => t.uriTemplate),
    read: async (uri) => textOfRead(await client.readResource({ uri })),
    prompts: async () => promptSummaries(await client.listPrompts()),
    prompt: async (name, args) => textOfPrompt(await client.getPrompt({ name, arguments: args })),
    complete: async (ref, name, value) =>
      (await client.complete({ ref, argument: { name, value } })).completion.values,
    close: () => client.close(),
  };
}
