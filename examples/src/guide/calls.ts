import { createClient, createServer, RpcError } from "bowline";
import * as z from "zod";
import { server as atlas } from "./resources.ts";

// #region progress
export const server = createServer({ name: "copier", version: "1.0.0" }).tool(
  "copy",
  { description: "Copies files", inputSchema: z.object({ files: z.array(z.string()) }) },
  async ({ files }, ctx) => {
    for (const [index, file] of files.entries()) {
      ctx.signal.throwIfAborted();
      await copyFile(file, ctx.signal);
      await ctx.progress(index + 1, files.length, `copied ${file}`);
    }
    return `${files.length} copied`;
  },
);
// #endregion

// #region log
server.tool("probe", { description: "Probes the disk" }, async (_args, ctx) => {
  await ctx.log.warning("the disk is nearly full", "disk");
  return "probed";
});
// #endregion

// #region middleware
server.use(async (call, context, next) => {
  const started = performance.now();
  try {
    return await next(call, context);
  } finally {
    observe(call.method, performance.now() - started);
  }
});
// #endregion

// #region follow
export async function copyAll(files: string[], signal: AbortSignal): Promise<readonly number[]> {
  await using client = createClient(server);
  const seen: number[] = [];
  await client.callTool(
    "copy",
    { files },
    { signal, timeoutMs: 10_000, onProgress: ({ progress }) => seen.push(progress) },
  );
  return seen;
}
// #endregion

// #region errors
export async function readOrNothing(uri: string): Promise<string | undefined> {
  await using client = createClient(atlas);
  try {
    const { contents } = await client.readResource(uri);
    return JSON.stringify(contents);
  } catch (error) {
    if (RpcError.is(error) && error.rpcCode === -32602) return undefined;
    throw error;
  }
}
// #endregion

export const observed: string[] = [];

function observe(method: string, ms: number): void {
  if (ms >= 0) observed.push(method);
}

async function copyFile(_file: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
}
