import { fileURLToPath } from "node:url";
import { openNoteStore, type NoteStore } from "./store.ts";

/** The documents of this repository, seen from the built example. */
const DOCUMENTS = fileURLToPath(new URL("../../../docs", import.meta.url));

/** Opens the folder named by the first argument or by `NOTES_DIR`. Ends the process if it is not there. */
export async function openChosenStore(): Promise<NoteStore> {
  const folder = process.argv[2] ?? process.env["NOTES_DIR"] ?? DOCUMENTS;
  try {
    return await openNoteStore(folder);
  } catch (error) {
    return fail(`no folder of notes at ${folder}: ${String(error)}`);
  }
}

export function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
