import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import {
  link,
  lstat,
  mkdir,
  open,
  readdir,
  realpath,
  rename,
  rm,
  unlink,
  type FileHandle,
} from "node:fs/promises";
import { join } from "node:path";
import { isNotePath, NoteError, quote, segmentsOf } from "./path.ts";

const MAX_NOTE_BYTES: number = 1024 * 1024;
const MAX_NOTES = 5_000;

/**
 * Markdown files below one folder, by their paths relative to it. Symbolic links below the folder are
 * neither listed nor followed, wherever they lead. Methods reject with a `NoteError` for what the
 * caller may be told, and with the system's error otherwise.
 */
export interface NoteStore {
  readonly folder: string;
  /** Paths of all notes, sorted; hidden files and folders left out. */
  list(): Promise<readonly string[]>;
  read(path: string): Promise<string>;
  /** Never overwrites. Folders on the way are made. */
  create(path: string, text: string): Promise<void>;
  append(path: string, text: string): Promise<void>;
  /** Never overwrites. */
  rename(from: string, to: string): Promise<void>;
  delete(path: string): Promise<void>;
}

/** Rejects if the folder is not there. */
export async function openNoteStore(folder: string): Promise<NoteStore> {
  const root = await realpath(folder);
  // Changes come one after the other, so that what one of them read is still true when it writes.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = (change: () => Promise<void>): Promise<void> => {
    const done = last.then(change);
    last = done.catch(() => undefined);
    return done;
  };
  return {
    folder: root,
    list: async () => (await listFolder(root, "")).toSorted(),
    read: (path) => readNote(root, path),
    create: (path, text) => inTurn(() => createNote(root, path, text)),
    append: (path, text) => inTurn(() => appendToNote(root, path, text)),
    rename: (from, to) => inTurn(() => renameNote(root, from, to)),
    delete: (path) => inTurn(() => deleteNote(root, path)),
  };
}

async function listFolder(root: string, prefix: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(join(root, prefix), { withFileTypes: true })) {
    const path = `${prefix}${entry.name}`;
    if (found.length >= MAX_NOTES) break;
    if (entry.isFile() && isNotePath(path)) found.push(path);
    else if (entry.isDirectory() && isNotePath(`${path}/x.md`)) {
      // oxlint-disable-next-line no-await-in-loop -- a bounded walk, not a race for descriptors
      found.push(...(await listFolder(root, `${path}/`)));
    }
  }
  return found.slice(0, MAX_NOTES);
}

async function readNote(root: string, path: string): Promise<string> {
  const file = await openExisting(root, path);
  try {
    return await readText(file, path);
  } finally {
    await file.close();
  }
}

async function createNote(root: string, path: string, text: string): Promise<void> {
  const target = await locate(root, path, { makeFolders: true });
  const draft = await writeDraft(target, text);
  await publish(draft, target, path);
}

async function appendToNote(root: string, path: string, text: string): Promise<void> {
  const before = await readNote(root, path);
  const separator = before === "" || before.endsWith("\n") ? "" : "\n";
  const target = await locate(root, path);
  const draft = await writeDraft(target, `${before}${separator}${text}`);
  // Readers see the old text or the new, never half of it.
  await rename(draft, target);
}

async function renameNote(root: string, from: string, to: string): Promise<void> {
  await (await openExisting(root, from)).close();
  const source = await locate(root, from);
  const target = await locate(root, to, { makeFolders: true });
  await linkNew(source, target, to);
  await unlink(source);
}

async function deleteNote(root: string, path: string): Promise<void> {
  await (await openExisting(root, path)).close();
  await unlink(await locate(root, path));
}

/** Opens the note itself: what a link points to is no note. */
async function openExisting(root: string, path: string): Promise<FileHandle> {
  const target = await locate(root, path);
  try {
    return await open(target, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  } catch (error) {
    if (hasCode(error, "ENOENT", "ELOOP", "EISDIR")) throw notFound(path);
    throw error;
  }
}

async function readText(file: FileHandle, path: string): Promise<string> {
  const stats = await file.stat();
  if (!stats.isFile()) throw notFound(path);
  if (stats.size > MAX_NOTE_BYTES) throw tooLarge();
  const bytes = await file.readFile();
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new NoteError(`note ${quote(path)} is not UTF-8 text`, { cause });
  }
}

/**
 * Where a note lies. Every folder on the way is looked at, so that no symbolic link leads out of the
 * root; missing ones are made on request.
 */
async function locate(
  root: string,
  path: string,
  { makeFolders = false }: { makeFolders?: boolean } = {},
): Promise<string> {
  const segments = segmentsOf(path);
  let folder = root;
  for (const segment of segments.slice(0, -1)) {
    folder = join(folder, segment);
    // oxlint-disable-next-line no-await-in-loop -- each folder lies in the one before
    if (!(await isFolder(folder, makeFolders))) throw notFound(path);
  }
  return join(folder, segments.at(-1) ?? "");
}

async function isFolder(path: string, make: boolean): Promise<boolean> {
  try {
    return (await lstat(path)).isDirectory();
  } catch (error) {
    if (!hasCode(error, "ENOENT", "ENOTDIR")) throw error;
    if (!make) return false;
  }
  await mkdir(path);
  return true;
}

/** Writes a text beside its target, under a hidden name, and returns the path of that draft. */
async function writeDraft(target: string, text: string): Promise<string> {
  if (Buffer.byteLength(text) > MAX_NOTE_BYTES) throw tooLarge();
  const draft = join(target, "..", `.${randomUUID()}.draft`);
  try {
    const file = await open(draft, "wx");
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    return draft;
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

async function publish(draft: string, target: string, path: string): Promise<void> {
  try {
    await linkNew(draft, target, path);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Unlike a rename, a link fails where there is a file already. */
async function linkNew(from: string, to: string, path: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (hasCode(error, "EEXIST")) throw new NoteError(`note ${quote(path)} exists already`);
    throw error;
  }
}

const notFound = (path: string): NoteError => new NoteError(`note ${quote(path)} not found`);

const tooLarge = (): NoteError => new NoteError(`a note holds at most ${MAX_NOTE_BYTES} bytes`);

const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof Error && "code" in error && codes.includes(String(error.code));
