import spawn from "cross-spawn";
import type { ChildProcess } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { TransportError } from "../../base/errors.ts";
import { CHILD_DRAIN_MS, CHILD_KILL_GRACE_MS, MAX_CHILD_STDERR_BYTES } from "../../base/limits.ts";
import { quote } from "../diagnostic.ts";
import { endedError, notStartedError, type ChildEnd } from "./child-errors.ts";
import { killTree, treeIsGone } from "./process-tree.ts";
import { StderrRing } from "./stderr-ring.ts";

/** A program and how its processes end. */
export interface Program {
  /** Absolute path. */
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly eofGraceMs: number;
  readonly termGraceMs: number;
  /** Takes what the child writes to stderr, beside the ring that keeps its end. */
  readonly onStderr?: ((chunk: Uint8Array) => void) | undefined;
}

const POLL_MS = 20;

/** A server process and everything it starts. */
export class Child {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly #process: ChildProcess;
  readonly #stderrPipe: Readable;
  readonly #program: Program;
  readonly #onEnd: (error: TransportError) => void;
  readonly #stderr = new StderrRing(MAX_CHILD_STDERR_BYTES);
  #hasExited = false;
  #hasSpoken = false;
  #hasEnded = false;
  #closing: Promise<void> | undefined;

  /** `onEnd` is called once: the child could not be started, exited, or closed its stdout. */
  constructor(program: Program, onEnd: (error: TransportError) => void) {
    this.#program = program;
    this.#onEnd = onEnd;
    const { file, args, cwd, env } = program;
    try {
      this.#process = spawn(file, [...args], {
        cwd,
        env,
        shell: false,
        stdio: ["pipe", "pipe", "pipe"],
        // A process group of its own, so that what the child starts can be ended with it.
        detached: process.platform !== "win32",
        windowsHide: true,
      });
    } catch (cause) {
      throw notStartedError(cause);
    }
    const { stdin, stdout, stderr } = this.#process;
    if (stdin === null || stdout === null || stderr === null) {
      throw new TransportError(`${quote(file)} was started without pipes`);
    }
    this.stdin = stdin;
    this.stdout = stdout;
    this.#stderrPipe = stderr;
    this.#watch();
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  stderr(): string {
    return this.#stderr.text();
  }

  /**
   * Ends the child and what it started: end of input, then SIGTERM, then SIGKILL to the process group,
   * each after its grace. Settles when nothing of it runs any more. `atOnce` leaves out the first grace.
   */
  close({ atOnce = false }: { atOnce?: boolean } = {}): Promise<void> {
    return (this.#closing ??= this.#close(atOnce));
  }

  async #close(atOnce: boolean): Promise<void> {
    const { eofGraceMs, termGraceMs } = this.#program;
    const { pid } = this.#process;
    if (pid !== undefined) {
      this.stdin.end();
      if (!(await this.#isGoneWithin(pid, atOnce ? 0 : eofGraceMs))) {
        killTree(this.#process, "SIGTERM");
        if (!(await this.#isGoneWithin(pid, termGraceMs))) {
          killTree(this.#process, "SIGKILL");
          await this.#isGoneWithin(pid, CHILD_KILL_GRACE_MS);
        }
      }
    }
    // Whatever still holds the other ends of the pipes must not keep this process alive.
    for (const stream of [this.stdin, this.stdout, this.#stderrPipe]) stream.destroy();
    this.#end({ how: "was closed" });
  }

  async #isGoneWithin(pid: number, graceMs: number): Promise<boolean> {
    const isGone = (): boolean => this.#hasExited && treeIsGone(pid);
    for (let waited = 0; waited < graceMs && !isGone(); waited += POLL_MS) {
      // oxlint-disable-next-line no-await-in-loop -- the group is looked at again and again
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    return isGone();
  }

  #watch(): void {
    const { stdin, stdout } = this;
    const stderr = this.#stderrPipe;
    this.#process.on("error", (error) => this.#endWith(notStartedError(error)));
    stdout.once("data", () => (this.#hasSpoken = true));
    this.#process.on("exit", (exitCode, signal) => {
      this.#hasExited = true;
      const how = signal === null ? `exited with code ${exitCode}` : `was ended by ${signal}`;
      // A process it left behind may hold the pipes open; what is already in them is still read.
      const late = setTimeout(() => this.#end({ how, exitCode }), CHILD_DRAIN_MS);
      this.#process.once("close", () => {
        clearTimeout(late);
        this.#end({ how, exitCode });
      });
    });
    // An exit usually follows at once, and says more.
    const endSoon = (how: string, cause?: Error): void => {
      setTimeout(() => this.#end({ how, cause }), CHILD_DRAIN_MS).unref();
    };
    stdout.on("end", () => endSoon("closed its stdout"));
    stdin.on("error", (error) => endSoon(`does not read: ${error.message}`, error));
    stdout.on("error", (error) => endSoon(`cannot be read: ${error.message}`, error));
    // Nothing waits for stderr: its failure is noticed by nobody.
    stderr.on("error", () => undefined);
    stderr.on("data", (chunk: Uint8Array) => {
      this.#stderr.push(chunk);
      this.#program.onStderr?.(chunk);
    });
  }

  #end(end: Pick<ChildEnd, "how" | "exitCode" | "cause">): void {
    this.#endWith(endedError({ ...end, said: this.stderr(), hasSpoken: this.#hasSpoken }));
  }

  #endWith(error: TransportError): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#onEnd(error);
  }
}
