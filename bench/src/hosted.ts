import type { Readable, Writable } from "node:stream";
import { Child } from "./child.ts";
import type { Published, Question, Ready, Usage } from "./host.ts";
import type { Running } from "./peers/peer.ts";

/** A peer in a process of its own. Whoever starts one stops it. */
export class Hosted {
  readonly name: string;
  readonly tools: number;
  readonly #child: Child;
  #running: Running | undefined;

  private constructor(name: string, tools: number, transport: "http" | "stdio") {
    this.name = name;
    this.tools = tools;
    this.#child = new Child(name, "host.js", {
      args: [name, String(tools), transport],
      flags: ["--expose-gc"],
      pipes: transport === "stdio",
    });
  }

  /** Rejects with what the process wrote to its standard error if it ends before it serves. */
  static async start(name: string, tools: number, transport: "http" | "stdio"): Promise<Hosted> {
    const hosted = new Hosted(name, tools, transport);
    const { ready } = await hosted.#child.next<Ready>();
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
    return this.#child.pipes;
  }

  /** CPU time used so far, all threads, and memory held now. */
  usage(): Promise<Usage> {
    return this.#ask({ ask: "usage" });
  }

  /** The same, once garbage is collected. */
  collected(): Promise<Usage> {
    return this.#ask({ ask: "collected" });
  }

  /** Changes the list of tools; gives the moment before. */
  publish(): Promise<Published> {
    return this.#ask({ ask: "publish" });
  }

  stop(): Promise<void> {
    return this.#child.stop();
  }

  #ask<T>(question: Question): Promise<T> {
    return this.#child.ask(question);
  }
}
