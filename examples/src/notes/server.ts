import { createServer, RpcError } from "bowline";
import * as z from "zod";
import { deleteNote, locateFolder, planNote, suggestTitle } from "./asking.ts";
import { Library } from "./library.ts";
import { NoteError, uriOf } from "./path.ts";
import type { NoteStore } from "./store.ts";
import { appendNote, createNote, reindex, renameNote, searchNotes } from "./tools.ts";

const MIME_TYPE = "text/markdown";
const INVALID_PARAMS = -32602;
const MAX_SUGGESTIONS = 100;

const INSTRUCTIONS =
  "Markdown notes in a folder. Search them with search_notes, read them as resources " +
  "(note://path). Notes are created, appended to and renamed, never overwritten, and deleted only " +
  "when the user agrees.";

/** The type of the server, for clients: `connect<NotesServer>(url)`. */
export type NotesServer = Awaited<ReturnType<typeof createNotesServer>>;

/**
 * A server for the notes of a store: every note is a resource, and there are tools to search and to
 * write, a template and a prompt with completion. Reads the whole store once before it resolves.
 */
// The inferred type is the point: it holds the tools, their arguments and their results.
// oxlint-disable-next-line typescript/explicit-module-boundary-types
export async function createNotesServer(store: NoteStore) {
  const server = createServer({
    name: "notes",
    title: "Notes",
    version: "1.0.0",
    instructions: INSTRUCTIONS,
  });
  const library = new Library(store, {
    onAdded: (path) => {
      server.resource(
        uriOf(path),
        { name: path, title: library.titleOf(path), mimeType: MIME_TYPE },
        () => readNote(store, path, uriOf(path)),
      );
    },
    onRemoved: (path) => {
      server.removeResource(uriOf(path));
    },
    onChanged: (path) => server.resourceUpdated(uriOf(path)),
  });
  await library.reindex();

  const completePath = (typed: string) => suggest(library.paths, typed);
  return server
    .add(
      searchNotes(library),
      createNote(library),
      appendNote(library),
      renameNote(library),
      reindex(library),
      deleteNote(library),
      planNote(library),
      suggestTitle(library),
      locateFolder(library),
    )
    .resourceTemplate(
      "note://{+path}",
      {
        name: "note",
        title: "A note",
        description: "Any note by its path, new ones included",
        mimeType: MIME_TYPE,
        complete: { path: completePath },
      },
      ({ path }, { call: { params } }) => {
        const { uri } = params;
        return readNote(store, path, typeof uri === "string" ? uri : uriOf(path));
      },
    )
    .prompt(
      "summarize_note",
      {
        title: "Summarize a note",
        description: "Asks for a short summary of one note",
        argsSchema: z.object({ path: z.string().describe("Path of the note") }),
        complete: { path: completePath },
      },
      async ({ path }) => summaryMessages(path, await readNote(store, path, uriOf(path))),
    );
}

function summaryMessages(path: string, text: string) {
  const request =
    `Summarize the note ${JSON.stringify(path)} in at most five sentences. ` +
    "Keep names and numbers.";
  return [
    { role: "user", content: { type: "text", text: request } },
    {
      role: "user",
      content: { type: "resource", resource: { uri: uriOf(path), mimeType: MIME_TYPE, text } },
    },
  ] as const;
}

/** A note that cannot be had is a resource that is not there. */
async function readNote(store: NoteStore, path: string, uri: string): Promise<string> {
  try {
    return await store.read(path);
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    throw new RpcError(INVALID_PARAMS, error.message, { data: { uri }, cause: error });
  }
}

/** Paths that begin with what was typed, or have a name on the way that does. */
function suggest(paths: readonly string[], typed: string) {
  const wanted = typed.toLowerCase();
  const found = paths.filter((path) => {
    const folded = path.toLowerCase();
    return folded.startsWith(wanted) || folded.includes(`/${wanted}`);
  });
  return {
    values: found.slice(0, MAX_SUGGESTIONS),
    total: found.length,
    hasMore: found.length > MAX_SUGGESTIONS,
  };
}
