import { fork, type ChildProcess } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";

const STDERR_KEPT = 4000;

/** A program of this benchmark in a process of its own, which answers what it is asked, in turn. */
export class Child {
  readonly name: string;
  readonly #process: ChildProcess;
  #stderr = "";

  /** `module` is a file beside this one; `pipes` gives the parent its standard input and output. */
  constructor(
    name: string,
    module: string,
    { args, flags = [], pipes = false }: { args: string[]; flags?: string[]; pipes?: boolean },
  ) {
    this.name = name;
    this.#process = fork(fileURLToPath(new URL(module, import.meta.url)), args, {
      env: { ...process.env, NODE_ENV: "production" },
      execArgv: flags,
      stdio: [pipes ? "pipe" : "ignore", "pipe", "pipe", "ipc"],
    });
    this.#process.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-STDERR_KEPT);
    });
  }

  /** Throws for a process that has none. */
  get pipes(): { readonly stdin: Writable; readonly stdout: Readable } {
    const { stdin, stdout } = this.#process;
    if (stdin === null || stdout === null) throw new Error(`${this.name} has no pipes`);
    return { stdin, stdout };
  }

  /** Rejects with what the process wrote to its standard error if it ends before it answers. */
  ask<T>(question: object): Promise<T> {
    const answer = this.next<T>();
    this.#process.send(question);
    return answer;
  }

  /** The next thing it says by itself. */
  next<T>(): Promise<T> {
    return new Promise((resolve, reject) => {
      const onExit = (code: number | null): void => {
        reject(new Error(`${this.name} ended with ${code}: ${this.#stderr}`));
      };
      this.#process.once("exit", onExit);
      this.#process.once("message", (message: T) => {
        this.#process.off("exit", onExit);
        resolve(message);
      });
    });
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const gone = new Promise((resolve) => this.#process.once("exit", resolve));
    this.#process.kill("SIGKILL");
    await gone;
  }
}
