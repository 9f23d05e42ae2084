import { fileURLToPath } from "node:url";
import { connect, type Client, type ConnectOptions } from "bowline";
import { startServer } from "./server-process.ts";

/** A harbour office, written with a published package; `peers/servers/` has the programs. */
export interface PublishedServer {
  readonly name: string;
  readonly program: string;
  /** Whether it answers a tool it does not have with an error of the protocol, as the specification wants. */
  readonly refusesUnknownTools: boolean;
}

export const PUBLISHED_SERVERS: readonly PublishedServer[] = [
  {
    name: "@modelcontextprotocol/server 2.4.0",
    program: "official.mjs",
    refusesUnknownTools: true,
  },
  { name: "tmcp 1.20.0", program: "tmcp.mjs", refusesUnknownTools: false },
];

/** The client under test, connected to one of them. */
export interface Harbour {
  readonly client: Client;
  readonly server: PublishedServer;
  close(): Promise<void>;
}

const ANSWERS: ConnectOptions = {
  onElicit: () => ({ action: "accept", content: { sure: true } }),
};
const SERVERS = new URL("../../peers/servers/", import.meta.url);

/** Starts a harbour office and connects to it; `close` ends both. */
export async function openHarbour(
  server: PublishedServer,
  transport: "http" | "stdio",
): Promise<Harbour> {
  const file = fileURLToPath(new URL(server.program, SERVERS));
  if (transport === "stdio") {
    const client = await connect({ command: process.execPath, args: [file, "stdio"] }, ANSWERS);
    return { client, server, close: () => client.close() };
  }
  const program = await startServer([file, "http"]);
  const client = await connect(program.url, ANSWERS);
  const close = async (): Promise<void> => {
    await client.close();
    await program.stop();
  };
  return { client, server, close };
}
