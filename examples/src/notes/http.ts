import type { CorsOptions } from "bowline/http";
import { listen, type ListenOptions, type RunningServer } from "bowline/node";
import { fail, openChosenStore } from "./folder.ts";
import { createNotesServer } from "./server.ts";

const store = await openChosenStore();
const server = await createNotesServer(store);
const running = await start({
  port: readPort(process.env["PORT"]),
  cors: readOrigins(process.env["ALLOWED_ORIGINS"]),
});

console.log(`${store.folder} is served on ${running.url}`);
console.log(`\nCall it:\n\n${curlLine(running.url)}`);
console.log(`\nOr with a client, from this repository:\n\n${clientLine(running.url)}\n`);

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    void Promise.all([server.close(), running.close()]).then(() => process.exit(0));
  });
}

function readPort(given: string | undefined): number {
  const port = Number(given ?? 3_000);
  const isPort = given !== "" && Number.isInteger(port) && port >= 0 && port <= 65_535;
  return isPort ? port : fail(`PORT is ${JSON.stringify(given)}, which is no port`);
}

/** Origins of web pages that may call, with commas between them. */
function readOrigins(given = ""): CorsOptions | undefined {
  const origins = given.split(",").filter((origin) => origin !== "");
  return origins.length === 0 ? undefined : { origins };
}

async function start(options: ListenOptions): Promise<RunningServer> {
  const { port } = options;
  try {
    return await listen(server, options);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EADDRINUSE")) throw error;
    return fail(`port ${port} is in use: set PORT to another, or to 0 for any that is free`);
  }
}

/** A whole call in one line: what a request carries is in its headers and its `_meta`. */
function curlLine(url: string): string {
  const body = {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: {
      name: "search_notes",
      arguments: { query: "progress" },
      _meta: {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
      },
    },
  };
  const headers = [
    "Content-Type: application/json",
    "Accept: application/json, text/event-stream",
    "MCP-Protocol-Version: 2026-07-28",
    `Mcp-Method: ${body.method}`,
    `Mcp-Name: ${body.params.name}`,
  ];
  return `curl ${url} ${headers.map((header) => `-H '${header}'`).join(" ")} -d '${JSON.stringify(body)}'`;
}

function clientLine(url: string): string {
  const program = [
    'import { connect } from "bowline"',
    `const client = await connect("${url}")`,
    'console.log(await client.callTool("search_notes", { query: "progress" }))',
    "await client.close()",
  ];
  return `node --input-type=module -e '${program.join("; ")}'`;
}
