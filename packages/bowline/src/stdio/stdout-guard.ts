import { Console } from "node:console";
import type { WriteText } from "./stream.ts";

type Write = typeof process.stdout.write;

export interface StdoutGuard {
  /** Writes to stdout itself. */
  readonly write: WriteText;
  release(): void;
}

/**
 * Keeps stdout for messages alone: `console` writes to stderr, and so does whatever else writes to
 * `process.stdout`. Each such foreign write is also reported, since its author will not expect it.
 */
export function guardStdout(onForeignWrite: (text: string) => void): StdoutGuard {
  const { stdout, stderr } = process;
  const write: Write = stdout.write.bind(stdout);
  const original = Object.getOwnPropertyDescriptor(stdout, "write");
  const releaseConsole = redirectConsole();

  stdout.write = (chunk: string | Uint8Array, ...rest: [never?, never?]): boolean => {
    onForeignWrite(typeof chunk === "string" ? chunk : new TextDecoder().decode(chunk));
    return stderr.write(chunk, ...rest);
  };

  // Whoever started us may have closed our stderr: what is written there is lost, the server lives on.
  stderr.on("error", ignore);

  return {
    write,
    release: () => {
      if (original === undefined) Reflect.deleteProperty(stdout, "write");
      else Object.defineProperty(stdout, "write", original);
      stderr.off("error", ignore);
      releaseConsole();
    },
  };
}

function ignore(): void {
  // Nobody is left to be told.
}

/** Gives the global console the methods of one that writes everything to stderr. */
function redirectConsole(): () => void {
  const saved = { ...globalThis.console };
  Object.assign(globalThis.console, { ...new Console(process.stderr, process.stderr) });
  return () => void Object.assign(globalThis.console, saved);
}
