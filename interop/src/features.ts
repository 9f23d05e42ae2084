import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert";
import { randomUUID } from "node:crypto";
import type { Feature } from "./matrix.ts";
import type { Session } from "./session.ts";

/** The notes a run starts with, by file name. */
export const NOTES: Readonly<Record<string, string>> = {
  "harbour.md": "# Harbour\n\nThe keeper of the lighthouse counts gulls.\n",
  "harvest.md": "# Harvest\n\nBarley first, oats after the rain.\n",
  "meadow.md": "# Meadow\n\nNothing but larks.\n",
};

/** Where the server asks back: only for peers that can be asked. */
const offered = (session: Session): boolean => session.answersWith !== undefined;

const TOOLS = [
  "search_notes",
  "create_note",
  "append_note",
  "rename_note",
  "reindex",
  "delete_note",
  "plan_note",
  "suggest_title",
  "locate_folder",
];
const TEMPLATE = "note://{+path}";
/** How the peers say that a tool, and not the protocol, refused. */
const TOOL_ERROR = /the tool reported|tool_is_error/;
const PROMPT = "summarize_note";

/** What clients do with the notes server. */
export const FEATURES: readonly Feature<Session>[] = [
  {
    name: "negotiate",
    run: async (session) => strictEqual(await session.revision(), "2026-07-28"),
  },
  {
    name: "list tools",
    run: async (session) => deepStrictEqual((await session.tools()).toSorted(), TOOLS.toSorted()),
  },
  {
    name: "call",
    run: async (session) => {
      includes(await session.call("search_notes", { query: "lighthouse" }), "harbour.md");
    },
  },
  {
    name: "write",
    run: async (session) => {
      // The folder is shared by all peers, so each writes a note of its own.
      const path = `${randomUUID()}.md`;
      await session.call("create_note", { path, text: "# New\n" });
      await session.call("append_note", { path, text: "And more." });
      includes(await session.read(`note://${path}`), "And more.");
    },
  },
  {
    name: "refusal",
    run: async (session) => {
      await rejects(session.call("create_note", { path: "../outside.md", text: "" }), TOOL_ERROR);
    },
  },
  {
    name: "list resources",
    run: async (session) => {
      const uris = await session.resources();
      for (const file of Object.keys(NOTES)) ok(uris.includes(`note://${file}`), uris.join(" "));
    },
  },
  {
    name: "list templates",
    run: async (session) => deepStrictEqual(await session.templates(), [TEMPLATE]),
  },
  {
    name: "read",
    run: async (session) => {
      strictEqual(await session.read("note://harbour.md"), NOTES["harbour.md"]);
    },
  },
  {
    name: "list prompts",
    run: async (session) => {
      deepStrictEqual(await session.prompts(), [{ name: PROMPT, arguments: ["path"] }]);
    },
  },
  {
    name: "get prompt",
    run: async (session) => {
      includes(await session.prompt(PROMPT, { path: "meadow.md" }), "Nothing but larks");
    },
  },
  {
    name: "complete prompt",
    run: async (session) => {
      const values = await session.complete({ type: "ref/prompt", name: PROMPT }, "path", "har");
      deepStrictEqual(values.toSorted(), ["harbour.md", "harvest.md"]);
    },
  },
  {
    name: "complete template",
    run: async (session) => {
      const values = await session.complete({ type: "ref/resource", uri: TEMPLATE }, "path", "me");
      deepStrictEqual(values, ["meadow.md"]);
    },
  },
  {
    name: "confirm",
    offered,
    run: async (session) => {
      const path = `${randomUUID()}.md`;
      await session.call("create_note", { path, text: "# Short-lived\n" });
      includes(await session.call("delete_note", { path }), "true");
      await rejects(session.read(`note://${path}`), /not found/);
    },
  },
  {
    name: "wizard",
    offered,
    run: async (session) => {
      const title = session.answersWith?.title ?? "";
      includes(await session.call("plan_note", {}), `${title}.md`);
      includes(await session.read(`note://${title}.md`), "On 2026-07-28: Ann, Ben");
    },
  },
  {
    name: "sampling",
    offered,
    run: async (session) => {
      const text = await session.call("suggest_title", { path: "harbour.md" });
      includes(text, "Gulls and light");
      includes(text, "interop-model");
    },
  },
  {
    name: "roots",
    offered,
    run: async (session) => {
      includes(await session.call("locate_folder", {}), "bowline-notes-");
    },
  },
];

function includes(text: string, part: string): void {
  ok(text.includes(part), `${JSON.stringify(part)} is not in ${JSON.stringify(text)}`);
}
