import { defineTool, ToolError } from "bowline";
import * as z from "zod";
import type { Library } from "./library.ts";
import { NoteError, uriOf } from "./path.ts";

export const notePath: z.ZodString = z
  .string()
  .min(1)
  .max(512)
  .describe('Path of the note below the folder, with slashes, ending in ".md"');

export const note: z.ZodObject<{ path: z.ZodString; uri: z.ZodString }> = z.object({
  path: z.string(),
  uri: z.string(),
});
const text = z.string().min(1);

/** Every tool stays within the folder; none of these deletes anything. */
const WRITES = { readOnlyHint: false, destructiveHint: false, openWorldHint: false } as const;
const READS = { readOnlyHint: true, openWorldHint: false } as const;

/** What a caller may correct, such as a wrong path, becomes a result the model can read. */
export async function orToolError<R>(work: Promise<R>): Promise<R> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof NoteError) throw new ToolError(error.message, { cause: error });
    throw error;
  }
}

// The return type is inferred: a client made with `typeof server` knows the tools by it.
// oxlint-disable-next-line typescript/explicit-module-boundary-types
export const searchNotes = (library: Library) =>
  defineTool(
    "search_notes",
    {
      title: "Search notes",
      description: "Finds the notes that hold any of the given words, best first",
      inputSchema: z.object({
        query: z.string().min(1).max(1_000),
        limit: z.number().int().min(1).max(50).default(10),
      }),
      outputSchema: z.object({
        total: z.number().int(),
        hits: z.array(note.extend({ title: z.string(), excerpt: z.string() })),
      }),
      annotations: READS,
    },
    async ({ query, limit }) => {
      const { hits, total } = await library.search(query, limit);
      return {
        total,
        hits: hits.map(({ path: found, title, excerpt }) => {
          return { path: found, uri: uriOf(found), title, excerpt };
        }),
      };
    },
  );

export const createNote = (library: Library) =>
  defineTool(
    "create_note",
    {
      title: "Create a note",
      description: "Writes a new note. Fails if there is one under that path already",
      inputSchema: z.object({ path: notePath, text: text.describe("Markdown") }),
      outputSchema: note,
      annotations: { ...WRITES, idempotentHint: false },
    },
    async (given) => {
      await orToolError(library.create(given.path, given.text));
      return { path: given.path, uri: uriOf(given.path) };
    },
  );

export const appendNote = (library: Library) =>
  defineTool(
    "append_note",
    {
      title: "Append to a note",
      description: "Adds text to the end of a note, on a line of its own",
      inputSchema: z.object({ path: notePath, text: text.describe("Markdown") }),
      outputSchema: note.extend({ bytes: z.number().int().describe("Size of the note now") }),
      annotations: { ...WRITES, idempotentHint: false },
    },
    async (given) => {
      const whole = await orToolError(library.append(given.path, given.text));
      return { path: given.path, uri: uriOf(given.path), bytes: Buffer.byteLength(whole) };
    },
  );

export const renameNote = (library: Library) =>
  defineTool(
    "rename_note",
    {
      title: "Rename a note",
      description: "Moves a note to another path. Fails if there is a note under that path already",
      inputSchema: z.object({ path: notePath, newPath: notePath }),
      outputSchema: note,
      annotations: { ...WRITES, idempotentHint: false },
    },
    async (given) => {
      await orToolError(library.rename(given.path, given.newPath));
      return { path: given.newPath, uri: uriOf(given.newPath) };
    },
  );

export const reindex = (library: Library) =>
  defineTool(
    "reindex",
    {
      title: "Read the folder again",
      description: "Takes in what was changed in the folder by other programs",
      outputSchema: z.object({ notes: z.number().int(), words: z.number().int() }),
      annotations: { ...WRITES, idempotentHint: true },
    },
    (_none, { progress, signal }) =>
      library.reindex({
        signal,
        onProgress: (done, total, name) => progress(done, total, `read ${name}`),
      }),
  );
