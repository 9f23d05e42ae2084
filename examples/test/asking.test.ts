/** The tools of the notes example that ask before they go on. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Call, Exchange } from "bowline";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createNotesServer } from "../dist/notes/server.js";
import { openNoteStore } from "../dist/notes/store.js";

type Params = Call["params"];
/** A question of the server, as a client sees it. */
interface Asked {
  readonly method: string;
  readonly params?: { readonly message?: string };
}
type Answer = (question: Asked) => unknown;

const MAX_ROUNDS = 5;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bowline-asking-"));
  mkdirSync(join(folder, "notes"));
  writeFileSync(join(folder, "notes/harbour.md"), "# Harbour\n");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const onDisk = (path: string) => join(folder, "notes", path);

/** Calls a tool and answers what it asks, until it is done. */
async function ask(
  name: string,
  args: Params,
  answer: Answer,
): Promise<{ result: unknown; asked: string[] }> {
  const { exchange }: { exchange: Exchange } = await createNotesServer(
    await openNoteStore(join(folder, "notes")),
  );
  const clientCapabilities = { elicitation: {}, sampling: {}, roots: {} };
  const meta = { protocolVersion: "2026-07-28", clientCapabilities, raw: {} };
  const { signal } = new AbortController();
  const asked: string[] = [];
  let more: Params = {};
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    // oxlint-disable-next-line no-await-in-loop -- each round needs the answers to the one before
    const result = await exchange(
      { method: "tools/call", params: { name, arguments: args, ...more }, meta },
      { id: round, signal, notify: () => Promise.resolve() },
    );
    if (result.resultType !== "input_required") {
      return {
        result: result["isError"] === true ? result["content"] : result["structuredContent"],
        asked,
      };
    }
    const questions: Record<string, Asked> = JSON.parse(JSON.stringify(result["inputRequests"]));
    const inputResponses: Record<string, unknown> = {};
    for (const [key, question] of Object.entries(questions)) {
      asked.push(question.params?.message ?? question.method);
      inputResponses[key] = answer(question);
    }
    more = JSON.parse(JSON.stringify({ requestState: result["requestState"], inputResponses }));
  }
  throw new Error(`asked more than ${MAX_ROUNDS} times: ${asked.join(", ")}`);
}

const accept = (content: object = {}) => ({ action: "accept", content });

describe("delete_note", () => {
  const question = "Delete harbour.md (10 bytes) for good?";

  test("removes the note once the user has agreed", async () => {
    const { result, asked } = await ask("delete_note", { path: "harbour.md" }, () => accept());
    expect([result, asked]).toEqual([{ deleted: true }, [question]]);
    expect(existsSync(onDisk("harbour.md"))).toBe(false);
  });

  test.each(["decline", "cancel"])("and not where the user answers %s", async (action) => {
    const { result, asked } = await ask("delete_note", { path: "harbour.md" }, () => ({ action }));
    expect([result, asked]).toEqual([{ deleted: false }, [question]]);
    expect(existsSync(onDisk("harbour.md"))).toBe(true);
  });

  test("asks nothing about a note that is not there", async () => {
    const { result, asked } = await ask("delete_note", { path: "gone.md" }, () => accept());
    expect([result, asked]).toEqual([[{ type: "text", text: 'note "gone.md" not found' }], []]);
  });
});

describe("plan_note", () => {
  const FIRST = "What do you want to write?";

  test("writes what the user filled in, one step after the other", async () => {
    const answers = [
      accept({ title: "Autumn Market!", kind: "meeting" }),
      accept({ day: "2026-10-01", people: "Ann, Ben" }),
      accept(),
    ];
    const { result, asked } = await ask("plan_note", {}, () => answers.shift());
    expect(result).toEqual({ path: "autumn-market.md", uri: "note://autumn-market.md" });
    expect(asked).toEqual([FIRST, "When was it, and who was there?", "Create autumn-market.md?"]);
    expect(readFileSync(onDisk("autumn-market.md"), "utf8")).toBe(
      "# Autumn Market!\n\nOn 2026-10-01: Ann, Ben\n",
    );
  });

  test("goes another way for another kind, and fills in what was left out", async () => {
    const answers = [accept({ title: "Today", kind: "journal" }), accept(), accept()];
    const { asked } = await ask("plan_note", {}, () => answers.shift());
    expect(asked).toEqual([FIRST, "How are you?", "Create today.md?"]);
    expect(readFileSync(onDisk("today.md"), "utf8")).toBe("# Today\n\nA good day.\n");
  });

  test("asks again for a day that is none", async () => {
    const answers = [
      accept({ title: "Talk", kind: "meeting" }),
      accept({ day: "yesterday", people: "Ann" }),
      accept({ day: "2026-10-01", people: "Ann" }),
      accept(),
    ];
    const { asked } = await ask("plan_note", {}, () => answers.shift());
    expect(asked[2]).toMatch(/^When was it, and who was there\?\n\n- \/day: /);
    expect(existsSync(onDisk("talk.md"))).toBe(true);
  });

  test("writes nothing where the user stops", async () => {
    const answers = [accept({ title: "Talk", kind: "journal" }), { action: "cancel" }];
    const { result } = await ask("plan_note", {}, () => answers.shift());
    expect(result).toEqual([{ type: "text", text: "the user stopped half way" }]);
    expect(existsSync(onDisk("talk.md"))).toBe(false);
  });
});

test("suggest_title has the client's model think", async () => {
  const { result } = await ask("suggest_title", { path: "harbour.md" }, () => ({
    role: "assistant",
    model: "m",
    content: { type: "text", text: " Gulls " },
  }));
  expect(result).toEqual({ title: "Gulls", model: "m" });
});

describe("locate_folder", () => {
  test("says where the notes lie among the client's folders", async () => {
    const roots = [{ uri: "file:///nowhere" }, { uri: pathToFileURL(folder).href, name: "home" }];
    const { result, asked } = await ask("locate_folder", {}, () => ({ roots }));
    expect([result, asked]).toEqual([{ folder: "home", path: "notes/" }, ["roots/list"]]);
  });

  test.each(["file:///nowhere", "file:///", "file://elsewhere/"])(
    "%s gives away nothing but what is below it",
    async (uri) => {
      const { result } = await ask("locate_folder", {}, () => ({ roots: [{ uri }] }));
      const whole = pathToFileURL(join(folder, "notes")).pathname.slice(1);
      expect(result).toEqual(uri === "file:///" ? { folder: uri, path: `${whole}/` } : {});
    },
  );
});
