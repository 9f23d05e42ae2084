/** Drives stdio servers by their bytes, in memory or as processes. */
import { once } from "node:events";
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, type Readable, type Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { isJsonObject, type JsonObject, type JsonValue } from "../src/json/value.ts";
import type { ExchangeSource } from "../src/protocol/exchange.ts";
import type { StdioDiagnostic } from "../src/stdio/diagnostic.ts";
import { serveStdio, type ServeStdioOptions, type StdioServer } from "../src/stdio/serve.ts";

export const META: JsonObject = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

export const request = (id: JsonValue, method: string, params: JsonObject = {}): JsonObject => ({
  jsonrpc: "2.0",
  id,
  method,
  params: { _meta: META, ...params },
});

export const cancelled = (params: JsonObject): JsonObject => ({
  jsonrpc: "2.0",
  method: "notifications/cancelled",
  params,
});

/** The messages one end writes, and the exact bytes. */
export class Written {
  readonly #stream: Readable;
  readonly #chunks: Buffer[] = [];
  #newlines = 0;
  #ended = false;

  constructor(stream: Readable) {
    this.#stream = stream;
    stream.on("data", (chunk: Buffer) => {
      this.#chunks.push(chunk);
      for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) {
        this.#newlines += 1;
      }
      stream.emit("written");
    });
    for (const event of ["end", "close"]) {
      stream.on(event, () => {
        this.#ended = true;
        stream.emit("written");
      });
    }
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  get lines(): readonly string[] {
    return this.bytes.toString().split("\n").slice(0, -1);
  }

  get messages(): readonly JsonObject[] {
    return this.lines.map(parseObject);
  }

  /** The first messages, as soon as there are that many. Fails if the stream ends before. */
  async first(count: number): Promise<readonly JsonObject[]> {
    await this.hasLines(count);
    return this.messages.slice(0, count);
  }

  async hasLines(count: number): Promise<void> {
    while (this.#newlines < count) {
      if (this.#ended) throw new Error(`only ${this.#newlines} lines: ${this.bytes.toString()}`);
      // oxlint-disable-next-line no-await-in-loop -- one event after the other
      await once(this.#stream, "written");
    }
  }
}

function parseObject(line: string): JsonObject {
  const value: unknown = JSON.parse(line);
  if (!isJsonObject(value)) throw new TypeError(`no object: ${line}`);
  return value;
}

export function write(stream: Writable, ...messages: readonly (JsonValue | Uint8Array)[]): void {
  for (const message of messages) {
    if (message instanceof Uint8Array) stream.write(message);
    else stream.write(typeof message === "string" ? message : `${JSON.stringify(message)}\n`);
  }
}

export interface MemoryServer {
  readonly input: PassThrough;
  readonly output: PassThrough;
  readonly written: Written;
  readonly server: StdioServer;
  readonly diagnostics: StdioDiagnostic[];
  readonly faults: { readonly error: unknown; readonly ref: string; readonly method: string }[];
  /** Objects are written as lines; strings and bytes as they are. */
  readonly send: (...messages: readonly (JsonValue | Uint8Array)[]) => void;
}

export function serveInMemory(
  source: ExchangeSource,
  options: ServeStdioOptions = {},
): MemoryServer {
  const input = new PassThrough();
  const output = new PassThrough();
  const written = new Written(output);
  const diagnostics: StdioDiagnostic[] = [];
  const faults: MemoryServer["faults"] = [];
  let refs = 0;
  const server = serveStdio(source, {
    input,
    output,
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    onError: (error, detail) => faults.push({ error, ...detail }),
    createRef: () => `ref-${(refs += 1)}`,
    ...options,
  });
  const send: MemoryServer["send"] = (...messages) => write(input, ...messages);
  return { input, output, written, server, diagnostics, faults, send };
}

/** Programs for child processes, bundled from `test/fixtures` into a folder of their own. */
export interface Fixtures {
  path(name: string): string;
  remove(): void;
}

export async function bundleFixtures(...names: readonly string[]): Promise<Fixtures> {
  const folder = mkdtempSync(join(tmpdir(), "bowline-fixtures-"));
  await build({
    entryPoints: names.map((name) =>
      fileURLToPath(new URL(`fixtures/${name}.ts`, import.meta.url)),
    ),
    outdir: folder,
    outExtension: { ".js": ".cjs" },
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    logLevel: "warning",
  });
  return {
    path: (name) => join(folder, `${name}.cjs`),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export interface ServerProcess {
  readonly child: ChildProcess;
  readonly input: Writable;
  readonly written: Written;
  readonly errors: Written;
  /** Settles with the exit code, or the name of the signal. */
  readonly exited: Promise<number | string>;
  readonly send: (...messages: readonly (JsonValue | Uint8Array)[]) => void;
}

export function startProcess(file: string, args: readonly string[] = []): ServerProcess {
  const child = spawn(process.execPath, ["--unhandled-rejections=strict", file, ...args], {
    stdio: ["pipe", "pipe", "pipe"],
  });
  const { stdin, stdout, stderr } = child;
  const exited = new Promise<number | string>((resolve) => {
    child.once("close", (code, signal) => resolve(code ?? signal ?? "unknown"));
  });
  // A server that is gone does not read: the test looks at its exit.
  stdin.on("error", () => undefined);
  return {
    child,
    input: stdin,
    written: new Written(stdout),
    errors: new Written(stderr),
    exited,
    send: (...messages) => write(stdin, ...messages),
  };
}
