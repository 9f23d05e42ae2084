import { MAX_QUOTED_CHARS } from "../base/limits.ts";

/** Something on the connection that is no message, and that nobody waits for. */
export interface StdioDiagnostic {
  readonly kind: /** A line that is no acceptable message. */
    | "refused-line"
    /** Foreign text was kept off the output of a server, or found on the output of a child. */
    | "foreign-output"
    /** A message that belongs to no call: a late answer, a request from a server, an unknown notification. */
    | "stray-message"
    /** Reading or writing failed; the connection is being closed. */
    | "stream-error"
    /** The process of a server ended by itself; the next call starts it again. */
    | "server-ended"
    /** There is no shell to end the server with should this process be killed. */
    | "unwatched";
  readonly message: string;
}

export type OnStdioDiagnostic = (diagnostic: StdioDiagnostic) => void;

/** Quotes text of a peer: shortened, in one line, with everything a terminal could obey escaped. */
export function quote(text: string): string {
  const short = text.length > MAX_QUOTED_CHARS ? `${text.slice(0, MAX_QUOTED_CHARS)}…` : text;
  return JSON.stringify(short).replace(
    // oxlint-disable-next-line no-control-regex -- these are what must not reach a terminal
    /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Passes on the first diagnostic of each kind. */
export function firstOfEachKind(report: OnStdioDiagnostic): OnStdioDiagnostic {
  const seen = new Set<string>();
  return (diagnostic) => {
    if (seen.has(diagnostic.kind)) return;
    seen.add(diagnostic.kind);
    report(diagnostic);
  };
}

export function writeToStderr(text: string): void {
  process.stderr.write(`bowline: ${text}\n`);
}
