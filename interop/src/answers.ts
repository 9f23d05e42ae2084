import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** What a peer answers where the notes server asks, the same in every session. */
export interface Answers {
  /** By the beginning of the question. */
  elicit(message: string): object;
  readonly sampled: object;
  readonly roots: readonly { readonly uri: string; readonly name: string }[];
  remove(): void;
}

export const IMPORTED = "shopping.md";

/** Also makes the folder that the peer works in, removed by `remove`. */
export function createAnswers(title: string): Answers {
  const folder = mkdtempSync(join(tmpdir(), "bowline-client-"));
  writeFileSync(join(folder, IMPORTED), "# Shopping\n\nRope and pitch.\n");
  const forms: Readonly<Record<string, object>> = {
    "What do you want to write?": { title, kind: "meeting" },
    "When was it": { day: "2026-07-28", people: "Ann, Ben" },
  };
  return {
    elicit: (message) => {
      const content = Object.entries(forms).find(([start]) => message.startsWith(start))?.[1] ?? {};
      return { action: "accept", content };
    },
    sampled: {
      role: "assistant",
      content: { type: "text", text: "Gulls and light" },
      model: "interop-model",
      stopReason: "endTurn",
    },
    roots: [{ uri: pathToFileURL(folder).href, name: "client" }],
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
