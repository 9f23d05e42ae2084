import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { connect } from "bowline";
import { describe, expect, onTestFinished, test } from "vitest";
import type { clock } from "../dist/recipes/clock.js";
import fetchStyle from "../dist/recipes/fetch.js";

type Clock = typeof clock;

const greeting = [{ type: "text", text: "It is always now in Oslo." }];

async function greet(url: string, fetch?: (request: Request) => Promise<Response>) {
  await using client = await connect<Clock>(url, fetch === undefined ? {} : { fetch });
  return (await client.callTool("zone", { name: "Oslo" })).content;
}

/** Start a built example on a free port; resolves with that port once it listens. */
async function start(example: string, env: Record<string, string> = {}): Promise<number> {
  const file = fileURLToPath(new URL(`../dist/${example}.js`, import.meta.url));
  const child = spawn(process.execPath, [file], {
    env: { ...process.env, ...env, PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(async () => {
    const ended = once(child, "exit");
    if (child.exitCode === null && child.kill()) await ended;
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const port = /port: (\d+)|:(\d+)/.exec(line)?.slice(1).find(Boolean);
    if (port !== undefined) return Number(port);
  }
  throw new Error(`${example} ended without listening`);
}

describe("recipes", () => {
  test.each(["node-http", "express", "fastify", "hono"])("%s serves a tool", async (recipe) => {
    const port = await start(`recipes/${recipe}`);
    expect(await greet(`http://127.0.0.1:${port}/mcp`)).toEqual(greeting);
  });

  test("a listener in Express is reached under its own path alone", async () => {
    const port = await start("recipes/express-path");
    expect(await greet(`http://127.0.0.1:${port}/api/mcp`)).toEqual(greeting);
    await expect(greet(`http://127.0.0.1:${port}/elsewhere`)).rejects.toMatchObject({
      code: "ERR_MCP_TRANSPORT_STATUS",
      status: 404,
    });
  });

  test("authorize lets in who shows the token and nobody else", async () => {
    const port = await start("recipes/authorize", { TOKEN: "right" });
    const file = fileURLToPath(new URL("../dist/recipes/authorized-client.js", import.meta.url));
    const run = (TOKEN: string) =>
      promisify(execFile)(process.execPath, [file, `http://127.0.0.1:${port}/mcp`], {
        env: { ...process.env, TOKEN },
      });
    const { stdout } = await run("right");
    expect(JSON.parse(stdout)).toEqual([{ type: "text", text: "All is well, operator." }]);
    await expect(run("wrong")).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/TransportError: .*401/),
    });
  });

  test("a fetch-style runtime serves a tool", async () => {
    const answered = await greet("http://127.0.0.1:3000/mcp", fetchStyle.fetch);
    expect(answered).toEqual(greeting);
  });
});

describe("quickstart", () => {
  const clients = [
    ["TypeScript", "../dist/quickstart/client.js"],
    ["plain JavaScript", "../src/quickstart/client.mjs"],
  ] as const;

  test.each(clients)("the %s client of the README calls its server", async (_, file) => {
    const port = await start("quickstart/server");
    const client = fileURLToPath(new URL(file, import.meta.url));
    const child = spawn(process.execPath, [client, `http://127.0.0.1:${port}/mcp`], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const lines: string[] = [];
    for await (const line of createInterface({ input: child.stdout })) lines.push(line);
    expect(lines).toEqual([
      expect.stringMatching(/^\d{2}\/\d{2}\/\d{4}, \d{2}:\d{2}:\d{2}$/),
      "now",
    ]);
  });

  test("the stdio server of the documents answers over its standard streams", async () => {
    const file = fileURLToPath(new URL("../dist/quickstart/stdio.js", import.meta.url));
    await using client = await connect({ command: process.execPath, args: [file] });
    const { content } = await client.callTool("now");
    expect(content).toEqual([{ type: "text", text: expect.stringMatching(/^\d{4}-.*Z$/) }]);
  });
});
