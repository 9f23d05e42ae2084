import { spawn } from "node:child_process";
import { Agent, request } from "node:http";
import { createInterface } from "node:readline";
import { METHODS, META_CAPABILITIES, META_VERSION, REVISION } from "../wire.ts";
import { textOf, type Caller, type Calling } from "./caller.ts";

interface Answer {
  readonly id: number;
  readonly result: Parameters<typeof textOf>[0];
}

const META = {
  [META_VERSION]: REVISION,
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1.0.0" },
  [META_CAPABILITIES]: {},
};
const HEADERS = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
  "mcp-protocol-version": REVISION,
  "mcp-method": METHODS.call,
  "mcp-name": "add",
};

/** The least that calls: bare `node:http` with kept connections, or lines; no checks, no time limits. */
export const floor: Caller = {
  name: "floor",
  connect: async (reach) =>
    reach.transport === "http" ? overHttp(reach.url) : overLines(reach.command, reach.args),
};

let lastId = 0;

function bodyOf(id: number, a: number, b: number): string {
  const params = { name: "add", arguments: { a, b }, _meta: META };
  return JSON.stringify({ jsonrpc: "2.0", id, method: METHODS.call, params });
}

function overHttp(url: string): Calling {
  const agent = new Agent({ keepAlive: true });
  return {
    add: (a, b) =>
      new Promise((resolve, reject) => {
        const body = bodyOf((lastId += 1), a, b);
        const headers = { ...HEADERS, "content-length": Buffer.byteLength(body) };
        const sent = request(url, { method: "POST", agent, headers }, (response) => {
          const parts: Buffer[] = [];
          response.on("data", (part: Buffer) => parts.push(part));
          response.on("end", () => {
            const answer: Answer = JSON.parse(Buffer.concat(parts).toString());
            resolve(textOf(answer.result));
          });
        });
        sent.on("error", reject);
        sent.end(body);
      }),
  };
}

function overLines(command: string, args: readonly string[]): Calling {
  const { stdin, stdout } = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  const waiting = new Map<number, (text: string) => void>();
  createInterface({ input: stdout }).on("line", (line) => {
    const { id, result }: Answer = JSON.parse(line);
    waiting.get(id)?.(textOf(result));
    waiting.delete(id);
  });
  return {
    add: (a, b) =>
      new Promise((resolve) => {
        const id = (lastId += 1);
        waiting.set(id, resolve);
        stdin.write(`${bodyOf(id, a, b)}\n`);
      }),
  };
}
