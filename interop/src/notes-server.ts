import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Target } from "./session.ts";

const EXAMPLE = fileURLToPath(new URL("../../examples/dist/notes/", import.meta.url));
const URL_IN_LINE = /http:\/\/[^\s'"]+/;

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
  const child = spawn(process.execPath, [join(EXAMPLE, "http.js"), folder], {
    env: { ...process.env, PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const gone = new Promise<never>((_resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`the notes server ended with ${code}`)));
  });
  gone.catch(() => undefined);
  const url = new Promise<string>((resolve) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const found = URL_IN_LINE.exec(line);
      if (found !== null) resolve(found[0]);
    });
  });
  return {
    target: { transport: "http", url: await Promise.race([url, gone]) },
    stop: async () => {
      child.kill("SIGTERM");
      await gone.catch(() => undefined);
    },
  };
}
