import { Child } from "./child.ts";
import type { Ask, Heard, Opened } from "./listening.ts";
import type { Running } from "./peers/peer.ts";

const PATIENCE_MS = 30_000;

/** Many clients that listen, in a process of their own. Whoever starts them stops them. */
export class Listeners {
  readonly #child: Child = new Child("the listening clients", "listening.js", { args: [] });

  /** Opens streams beside those that are open; rejects unless all of them are acknowledged. */
  open(server: Running, streams: number): Promise<Opened> {
    return this.#ask({ ask: "open", streams, port: server.port, path: server.path });
  }

  /** Settles when every stream was told of the one change since this was last asked. */
  hear(): Promise<Heard> {
    return this.#ask({ ask: "hear" });
  }

  stop(): Promise<void> {
    return this.#child.stop();
  }

  async #ask<T extends object>(question: Ask): Promise<T> {
    const late = setTimeout(() => void this.#child.stop(), PATIENCE_MS);
    try {
      const answer = await this.#child.ask<T | { readonly fault: string }>(question);
      if ("fault" in answer) throw new Error(answer.fault);
      return answer;
    } finally {
      clearTimeout(late);
    }
  }
}
