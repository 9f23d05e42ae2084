import { importPeer } from "../../../peers/index.mjs";
import { textOf, type Caller, type Reach } from "./caller.ts";

/** The members used here of the official client, which is installed on demand only. */
interface OfficialClient {
  connect(transport: object): Promise<void>;
  callTool(params: {
    name: string;
    arguments: object;
  }): Promise<{ readonly content: readonly { readonly type: string; readonly text?: string }[] }>;
}
interface ClientModule {
  readonly Client: new (info: object, options: object) => OfficialClient;
  readonly StreamableHTTPClientTransport: new (url: URL) => object;
}
interface StdioModule {
  readonly StdioClientTransport: new (parameters: object) => object;
}

/** The official client, told to speak the newest revision. */
export const official: Caller = {
  name: "official v2",
  connect: async (reach) => {
    const { Client } = await importPeer<ClientModule>("@modelcontextprotocol/client");
    const client = new Client(
      { name: "bench", version: "1.0.0" },
      { versionNegotiation: { mode: { pin: "2026-07-28" } } },
    );
    await client.connect(await transportTo(reach));
    return {
      add: async (a, b) => textOf(await client.callTool({ name: "add", arguments: { a, b } })),
    };
  },
};

async function transportTo(reach: Reach): Promise<object> {
  if (reach.transport === "http") {
    const module = await importPeer<ClientModule>("@modelcontextprotocol/client");
    return new module.StreamableHTTPClientTransport(new URL(reach.url));
  }
  const module = await importPeer<StdioModule>("@modelcontextprotocol/client/stdio");
  const { command, args } = reach;
  return new module.StdioClientTransport({ command, args, stderr: "ignore" });
}
