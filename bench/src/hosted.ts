import { fork, type ChildProcess } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { Ready, Usage } from "./host.ts";
import type { Running } from "./peers/peer.ts";

const HOST = fileURLToPath(new URL("host.js", import.meta.url));
const STDERR_KEPT = 4000;

/** A peer in a process of its own. Whoever starts one stops it. */
export class Hosted {
  readonly name: string;
  readonly tools: number;
  readonly #child: ChildProcess;
  #running: Running | undefined;
  #stderr = "";

  private constructor(name: string, tools: number, transport: "http" | "stdio") {
    this.name = name;
    this.tools = tools;
    const pipe = transport === "stdio" ? "pipe" : "ignore";
    this.#child = fork(HOST, [name, String(tools), transport], {
      env: { ...process.env, NODE_ENV: "production" },
      stdio: [pipe, pipe, "pipe", "ipc"],
    });
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-STDERR_KEPT);
    });
  }

  /** Rejects with what the process wrote to its standard error if it ends before it serves. */
  static async start(name: string, tools: number, transport: "http" | "stdio"): Promise<Hosted> {
    const hosted = new Hosted(name, tools, transport);
    const { ready } = await hosted.#next<Ready>();
    hosted.#running = ready ?? undefined;
    return hosted;
  }

  /** Where it listens; throws for one that serves stdio. */
  get http(): Running {
    if (this.#running === undefined) throw new Error(`${this.name} does not listen`);
    return this.#running;
  }

  /** Its standard input and output; throws for one that serves HTTP. */
  get pipes(): { readonly stdin: Writable; readonly stdout: Readable } {
    const { stdin, stdout } = this.#child;
    if (stdin === null || stdout === null) throw new Error(`${this.name} does not serve stdio`);
    return { stdin, stdout };
  }

  /** CPU time used so far, all threads, and memory held now. */
  usage(): Promise<Usage> {
    const answer = this.#next<Usage>();
    this.#child.send("usage");
    return answer;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const gone = new Promise((resolve) => this.#child.once("exit", resolve));
    this.#child.kill("SIGKILL");
    await gone;
  }

  #next<T>(): Promise<T> {
    return new Promise((resolve, reject) => {
      const onExit = (code: number | null): void => {
        reject(new Error(`${this.name} ended with ${code}: ${this.#stderr}`));
      };
      this.#child.once("exit", onExit);
      this.#child.once("message", (message: T) => {
        this.#child.off("exit", onExit);
        resolve(message);
      });
    });
  }
}
