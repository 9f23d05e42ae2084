/** Longest path of a note, in bytes, and deepest. */
const MAX_PATH_BYTES = 512;
const MAX_DEPTH = 16;
/** What file systems take. */
const MAX_NAME_BYTES = 255;

/** Why a note cannot be had or changed; the message is for whoever asked. */
export class NoteError extends Error {
  override readonly name = "NoteError";
}

/**
 * The names on the way to a note, checked. A path is relative, has slashes, ends in `.md` and is taken
 * to the letter: nothing in it is cleaned up. Throws a `NoteError` for any other text.
 */
export function segmentsOf(path: string): readonly string[] {
  const segments = path.split("/");
  if (!path.endsWith(".md")) throw new NoteError(`${quote(path)} does not end in ".md"`);
  if (Buffer.byteLength(path) > MAX_PATH_BYTES || segments.length > MAX_DEPTH) {
    throw new NoteError(
      `the path is too long: ${MAX_PATH_BYTES} bytes and ${MAX_DEPTH} levels fit`,
    );
  }
  for (const segment of segments) {
    if (Buffer.byteLength(segment) > MAX_NAME_BYTES) {
      throw new NoteError(`a name on the way to a note has at most ${MAX_NAME_BYTES} bytes`);
    }
    // Names that begin with a dot are hidden, "." and ".." are ways out, and a colon or a backslash
    // means something to some system.
    if (
      segment === "" ||
      segment.startsWith(".") ||
      /[\\:\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(segment)
    ) {
      throw new NoteError(`${quote(path)} is no path of a note`);
    }
  }
  return segments;
}

export function isNotePath(path: string): boolean {
  try {
    segmentsOf(path);
    return true;
  } catch (error) {
    if (error instanceof NoteError) return false;
    throw error;
  }
}

/** The URI of a note: its path, with what a URI cannot hold escaped. */
export function uriOf(path: string): string {
  return `note://${path.split("/").map(encodeURIComponent).join("/")}`;
}

export const quote = (text: string): string => JSON.stringify(text.slice(0, MAX_PATH_BYTES));
