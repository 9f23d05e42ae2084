import { tmpdir } from "node:os";
import { pathToFileURL } from "node:url";

/** What a peer answers where the notes server asks, the same in every session. */
export interface Answers {
  /** By the beginning of the question. */
  elicit(message: string): object;
  readonly sampled: object;
  readonly roots: readonly { readonly uri: string; readonly name: string }[];
}

export function createAnswers(title: string): Answers {
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
    // The notes of a run lie below it.
    roots: [{ uri: pathToFileURL(tmpdir()).href, name: "client" }],
  };
}
