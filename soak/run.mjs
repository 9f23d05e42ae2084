/**
 * `npm run soak`: one server under load, with callers that leave in the middle, for as long as asked.
 *
 *   -- --seconds 3600   default 20
 *
 * Passes if every caller that stayed got its own answer, every handler of one that left saw its signal abort, nothing
 * is in flight at the end, and the memory in use after the first fifth of the time did not grow by more than a bound.
 */
import { request, Agent } from "node:http";
import { parseArgs } from "node:util";
import { createServer } from "bowline";
import { listen } from "bowline/node";
import { closingLine } from "../tools/closing-line.mjs";

const CALLERS = 32;
const LEAVE_EVERY = 7;
const MAX_GROWTH_BYTES = 16 * 1024 * 1024;
const SETTLE_MS = 2_000;

const { values } = parseArgs({ options: { seconds: { type: "string", default: "20" } } });
const durationMs = Number(values.seconds) * 1000;
const faults = [];
process.on("unhandledRejection", (reason) => faults.push(reason));
process.on("uncaughtException", (error) => faults.push(error));

let running = 0;
let aborted = 0;
let left = 0;
let answered = 0;
const wrong = [];
const onStart = new Map();

const server = createServer(
  { name: "soak", version: "1.0.0" },
  { onError: (error) => faults.push(error) },
)
  .tool("echo", { inputSchema: textSchema() }, ({ text }) => text)
  .tool("steps", { inputSchema: textSchema() }, async ({ text }, ctx) => {
    for (const step of [1, 2, 3]) await ctx.progress(step, 3, text);
    return text;
  })
  .tool("wait", { inputSchema: textSchema() }, async ({ text }, ctx) => {
    running += 1;
    onStart.get(text)?.();
    onStart.delete(text);
    await new Promise((resolve) => ctx.signal.addEventListener("abort", resolve, { once: true }));
    running -= 1;
    aborted += 1;
    return text;
  });

const listening = await listen(server, { port: 0 });
const agent = new Agent({ keepAlive: true, maxSockets: CALLERS });
const deadline = performance.now() + durationMs;
const baseline = settle(durationMs / 5).then(usedBytes);
await Promise.all(Array.from({ length: CALLERS }, (_, caller) => keepCalling(caller)));
await settle(SETTLE_MS);
const growth = usedBytes() - (await baseline);
agent.destroy();
await listening.close();

const checks = [
  [`${answered} answers went to their callers`, answered > 0 && wrong.length === 0, wrong[0]],
  [
    `${left} callers left, ${aborted} handlers saw it`,
    left > 0 && aborted === left && running === 0,
  ],
  [`memory grew by ${Math.round(growth / 1024)} KiB`, growth <= MAX_GROWTH_BYTES],
  ["nothing escaped", faults.length === 0, faults[0]],
];
for (const [what, ok, detail] of checks) {
  process.stdout.write(
    `${ok ? "ok    " : "FAILED"} ${what}${ok ? "" : ` ${detail?.stack ?? detail ?? ""}`}\n`,
  );
}
const failed = checks.filter(([, ok]) => !ok).length;
process.stdout.write(`${closingLine({ passed: checks.length - failed, failed })}\n`);
process.exit(failed > 0 ? 1 : 0);

async function keepCalling(caller) {
  for (let round = 0; performance.now() < deadline; round += 1) {
    const text = `${caller}/${round}`;
    if ((caller + round) % LEAVE_EVERY === 0) await callAndLeave(text);
    else await callAndCheck(round % 3 === 0 ? "steps" : "echo", text);
  }
}

async function callAndCheck(tool, text) {
  const body = await send(tool, text).done;
  answered += 1;
  const result = JSON.parse(
    /^data: (.*)$/gm.test(body)
      ? body
          .match(/^data: (.*)$/gm)
          .at(-1)
          .slice(6)
      : body,
  );
  if (result.result?.content?.[0]?.text !== text) wrong.push(`${text} got ${body.slice(0, 200)}`);
}

/** Leaves once the handler runs, so that there is something to abort. */
async function callAndLeave(text) {
  const runs = new Promise((resolve) => onStart.set(text, resolve));
  const call = send("wait", text);
  call.done.catch(() => {});
  await runs;
  call.leave();
  left += 1;
}

function send(tool, text) {
  const message = {
    jsonrpc: "2.0",
    id: text,
    method: "tools/call",
    params: {
      name: tool,
      arguments: { text },
      _meta: {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        ...(tool === "steps" ? { progressToken: text } : {}),
      },
    },
  };
  const post = request(listening.url, {
    method: "POST",
    agent,
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": tool,
    },
  });
  const done = new Promise((resolve, reject) => {
    post.on("error", reject);
    post.on("response", (response) => {
      let body = "";
      response.setEncoding("utf8");
      response.on("data", (piece) => (body += piece));
      response.on("end", () => resolve(body));
      response.on("error", reject);
    });
  });
  post.end(JSON.stringify(message));
  return { done, leave: () => post.destroy() };
}

function textSchema() {
  return { type: "object", properties: { text: { type: "string" } }, required: ["text"] };
}

function usedBytes() {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

function settle(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
