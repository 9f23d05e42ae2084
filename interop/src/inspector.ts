import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
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
import type { Peer, Reference, Session, Target } from "./session.ts";

const INSPECTOR = fileURLToPath(
  new URL("../../peers/node_modules/@modelcontextprotocol/inspector/clients/", import.meta.url),
);
/** One command, one connection. */
const ONE_SHOT = join(INSPECTOR, "launcher/build/index.js");
/** Connections that outlive a command, held by a daemon; the only one of the two that completes. */
const CONNECTED = join(INSPECTOR, "mcpdo/build/mcp-bin.js");
const TIMEOUT_MS = 30_000;

/** The inspector's command line, run under the given Node binary in a home folder of its own. */
export function inspector(node: string | undefined): Peer {
  const name = "@modelcontextprotocol/inspector 2.12.0";
  if (node === undefined) {
    const unavailable = "needs Node 22.19 or newer, and none is published for this platform";
    return { name, unavailable, open: () => Promise.reject(new Error(unavailable)) };
  }
  return { name, open: async (target) => openSession(node, target) };
}

/** Runs the inspector; nothing of it is left when `remove` has been called. */
class Runner {
  readonly #node: string;
  readonly #home: string = mkdtempSync(join(tmpdir(), "bowline-interop-"));
  readonly #token: string = randomBytes(24).toString("hex");

  constructor(node: string) {
    this.#node = node;
  }

  async json<T>(program: string, args: readonly string[]): Promise<T> {
    const child = spawn(this.#node, [program, ...args], {
      env: {
        ...process.env,
        HOME: this.#home,
        MCP_INSPECTOR_DAEMON_DIR: this.#home,
        MCP_INSPECTOR_DAEMON_TOKEN: this.#token,
        MCP_INSPECTOR_SECRET_STORE: "file",
      },
      stdio: ["ignore", "pipe", "pipe"],
      timeout: TIMEOUT_MS,
    });
    let [out, err] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", resolve);
    });
    if (code !== 0) throw new Error(`the inspector ended with ${code}: ${(err || out).trim()}`);
    const value: T = JSON.parse(out);
    return value;
  }

  remove(): void {
    rmSync(this.#home, { recursive: true, force: true });
  }
}

function openSession(node: string, target: Target): Session {
  const runner = new Runner(node);
  const once = async <T>(method: string, ...options: readonly string[]): Promise<T> => {
    const args = ["--cli", "--protocol-era", "modern", "--format", "json", "--quiet"];
    const answer = await runner.json<{ readonly result: T }>(ONE_SHOT, [
      ...args,
      "--method",
      method,
      ...options,
      ...targetOptions(target),
    ]);
    return answer.result;
  };
  return {
    revision: async () =>
      (await once<{ readonly protocolVersion: string }>("initialize")).protocolVersion,
    tools: async () =>
      (await once<{ readonly tools: readonly Named[] }>("tools/list")).tools.map((t) => t.name),
    call: async (name, args) =>
      textOfCall(
        await once<ToolCall>(
          "tools/call",
          "--tool-name",
          name,
          "--tool-args-json",
          JSON.stringify(args),
        ),
      ),
    resources: async () =>
      (
        await once<{ readonly resources: readonly { readonly uri: string }[] }>("resources/list")
      ).resources.map((r) => r.uri),
    templates: async () =>
      (
        await once<{ readonly resourceTemplates: readonly { readonly uriTemplate: string }[] }>(
          "resources/templates/list",
        )
      ).resourceTemplates.map((t) => t.uriTemplate),
    read: async (uri) => textOfRead(await once<ResourceRead>("resources/read", "--uri", uri)),
    prompts: async () => promptSummaries(await once<PromptList>("prompts/list")),
    prompt: async (name, args) => {
      const pairs = Object.entries(args).map(([key, value]) => `${key}=${value}`);
      return textOfPrompt(
        await once<PromptGet>("prompts/get", "--prompt-name", name, "--prompt-args", ...pairs),
      );
    },
    ...connected(runner, target),
  };
}

/** What only the connection-keeping command offers; it connects at the first use. */
function connected(runner: Runner, target: Target): Pick<Session, "complete" | "close"> {
  let connection: Promise<string> | undefined;
  const json = ["--format", "json"];
  const connect = async (): Promise<string> => {
    const args = [...json, "connect", "--era", "modern", ...targetOptions(target)];
    return (await runner.json<{ readonly name: string }>(CONNECTED, args)).name;
  };
  return {
    complete: async (reference, argument, prefix) => {
      connection ??= connect();
      const answer = await runner.json<{ readonly values: readonly string[] }>(CONNECTED, [
        ...json,
        "--connection",
        await connection,
        "prompts/complete",
        ...referenceOptions(reference),
        "--complete-arg-name",
        argument,
        "--complete-arg-value",
        prefix,
      ]);
      return answer.values;
    },
    close: async () => {
      try {
        if (connection !== undefined) await runner.json(CONNECTED, [...json, "daemon", "stop"]);
      } finally {
        runner.remove();
      }
    },
  };
}

function targetOptions(target: Target): readonly string[] {
  if (target.transport === "http") return ["--transport", "http", target.url];
  return ["--transport", "stdio", "--", target.command, ...target.args];
}

function referenceOptions(reference: Reference): readonly string[] {
  const value = reference.type === "ref/prompt" ? reference.name : reference.uri;
  return ["--complete-ref-type", reference.type, "--complete-ref", value];
}
