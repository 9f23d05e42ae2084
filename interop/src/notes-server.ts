import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startServer } from "./server-process.ts";
import type { Target } from "./session.ts";

const EXAMPLE = fileURLToPath(new URL("../../examples/dist/notes/", import.meta.url));

/** A folder with the given notes, removed by `remove`. */
export function notesFolder(notes: Readonly<Record<string, string>>): {
  readonly path: string;
  remove(): void;
} {
  const path = mkdtempSync(join(tmpdir(), "bowline-notes-"));
  for (const [file, text] of Object.entries(notes)) writeFileSync(join(path, file), text);
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** The notes example as a peer starts it over stdio. */
export function stdioTarget(folder: string): Target {
  return {
    transport: "stdio",
    command: process.execPath,
    args: [join(EXAMPLE, "stdio.js"), folder],
  };
}

/** The notes example over HTTP, in a process of its own until `stop`; rejects if it does not come up. */
export async function startHttp(
  folder: string,
): Promise<{ readonly target: Target; stop(): Promise<void> }> {
  const server = await startServer([join(EXAMPLE, "http.js"), folder]);
  return { target: { transport: "http", url: server.url }, stop: () => server.stop() };
}
