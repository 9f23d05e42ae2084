import { pathToFileURL } from "node:url";
import { defineTool, ToolError } from "bowline";
import * as z from "zod";
import type { Library } from "./library.ts";
import { uriOf } from "./path.ts";
import { note, notePath, orToolError } from "./tools.ts";

// Tools that ask the user, or the client, before they go on. What they ask ends the pass: the handler runs again from
// the top with the answer. So nothing with an effect stands before a question.

// The return types are inferred: a client made with `typeof server` knows the tools by them.
// oxlint-disable typescript/explicit-module-boundary-types

// #region delete
export const deleteNote = (library: Library) =>
  defineTool(
    "delete_note",
    {
      title: "Delete a note",
      description: "Removes a note for good, once the user has agreed",
      inputSchema: z.object({ path: notePath }),
      outputSchema: z.object({ deleted: z.boolean() }),
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
      requires: { elicitation: { form: {} } },
    },
    async ({ path }, ctx) => {
      const text = await orToolError(library.store.read(path));
      const size = Buffer.byteLength(text);
      const { action } = await ctx.elicit(`Delete ${path} (${size} bytes) for good?`);
      if (action !== "accept") return { deleted: false };
      await orToolError(library.delete(path));
      return { deleted: true };
    },
  );
// #endregion delete

const KIND = z.object({
  title: z.string().min(1).max(80).describe("What the note is about"),
  kind: z.union([
    z.literal("meeting").meta({ title: "Minutes of a meeting" }),
    z.literal("journal").meta({ title: "Journal entry" }),
  ]),
});
const MEETING = z.object({
  day: z.iso.date().describe("Day of the meeting"),
  people: z.string().max(200).describe("Who was there, with commas"),
});
const JOURNAL = z.object({ mood: z.enum(["good", "mixed", "bad"]).default("good") });

// #region wizard
export const planNote = (library: Library) =>
  defineTool(
    "plan_note",
    {
      title: "Plan a note",
      description: "Asks the user step by step what to write, and creates the note",
      outputSchema: note,
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
      requires: { elicitation: { form: {} } },
    },
    async (_none, ctx) => {
      const first = await ctx.elicit("What do you want to write?", KIND, { key: "kind" });
      if (first.action !== "accept") throw new ToolError("the user does not want to write");
      const { kind, title } = first.content;
      let head: string;
      if (kind === "meeting") {
        const meeting = await ctx.elicit("When was it, and who was there?", MEETING);
        if (meeting.action !== "accept") throw new ToolError("the user stopped half way");
        head = `On ${meeting.content.day}: ${meeting.content.people}`;
      } else {
        const journal = await ctx.elicit("How are you?", JOURNAL);
        if (journal.action !== "accept") throw new ToolError("the user stopped half way");
        head = `A ${journal.content.mood} day.`;
      }
      const path = `${slugOf(title)}.md`;
      const { action } = await ctx.elicit(`Create ${path}?`, undefined, { key: "create" });
      if (action !== "accept") throw new ToolError("the user stopped before the end");
      await ctx.step("write", () => orToolError(library.create(path, `# ${title}\n\n${head}\n`)));
      return { path, uri: uriOf(path) };
    },
  );
// #endregion wizard

const slugOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-|-$/g, "") || "note";

export const suggestTitle = (library: Library) =>
  defineTool(
    "suggest_title",
    {
      title: "Suggest a title",
      description: "Has the client's model think of a title for a note",
      inputSchema: z.object({ path: notePath }),
      outputSchema: z.object({ title: z.string(), model: z.string() }),
      annotations: { readOnlyHint: true, openWorldHint: false },
      requires: { sampling: {} },
    },
    async ({ path }, ctx) => {
      const text = await orToolError(library.store.read(path));
      const prompt = `Give this note a title of at most six words, and nothing else:\n\n${text}`;
      const { content, model } = await ctx.sample({
        messages: [{ role: "user", content: { type: "text", text: prompt } }],
        maxTokens: 50,
      });
      const [block] = [content].flat();
      if (block?.type !== "text") throw new ToolError("the model gave no text");
      return { title: block.text.trim(), model };
    },
  );

export const locateFolder = (library: Library) =>
  defineTool(
    "locate_folder",
    {
      title: "Locate the folder of notes",
      description: "Says where the notes lie among the folders the client works in",
      outputSchema: z.object({ folder: z.string().optional(), path: z.string().optional() }),
      annotations: { readOnlyHint: true, openWorldHint: false },
      requires: { roots: {} },
    },
    async (_none, ctx) => {
      // What a client says of its folders informs. It opens nothing: a client elsewhere could name any folder of ours.
      for (const { name, uri } of await ctx.roots()) {
        const path = relativeTo(uri, library.store.folder);
        if (path !== undefined) return { folder: name ?? uri, path };
      }
      return {};
    },
  );

/** The way from a client's folder down to one of ours; undefined where ours does not lie in it. */
function relativeTo(uri: string, folder: string): string | undefined {
  const base = `${uri.replace(/\/$/, "")}/`;
  const inner = `${pathToFileURL(folder).href}/`;
  return inner.startsWith(base) ? decodeURIComponent(inner.slice(base.length)) : undefined;
}
