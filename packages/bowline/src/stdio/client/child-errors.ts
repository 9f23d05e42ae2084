import { TransportError } from "../../base/errors.ts";
import { quote } from "../diagnostic.ts";

/** What is known of a child that ended. */
export interface ChildEnd {
  readonly how: string;
  readonly exitCode?: number | null;
  /** The end of its stderr. */
  readonly said: string;
  /** Whether it wrote anything to its stdout. */
  readonly hasSpoken: boolean;
  readonly cause?: Error | undefined;
}

const SHOWN_CHARS = 500;

export function endedError({ how, exitCode, said, hasSpoken, cause }: ChildEnd): TransportError {
  const end = said.trimEnd().slice(-SHOWN_CHARS);
  const text = end === "" ? "" : `; its stderr ends with ${quote(end)}`;
  const hint = exitCode === undefined || hasSpoken ? undefined : hintForExit(exitCode);
  return new TransportError(`the server process ${how}${text}`, {
    code: "ERR_MCP_TRANSPORT_CLOSED",
    ...(hint === undefined ? {} : { hint }),
    ...(cause === undefined ? {} : { cause }),
  });
}

/** By the codes that shells, `env` and launchers have in common. */
function hintForExit(code: number | null): string {
  if (code === 127) {
    return "a program was not found, as code 127 says: the PATH of the child may lack its folder";
  }
  return "it ended before its first message: start it in a terminal, where it should wait and write nothing to stdout";
}

const NOT_A_PROGRAM =
  "it is no program of this system: start a script by its interpreter, as { command, args }";
const NO_ROOM = "the system has no room for another process";

/** By the code of the system call. */
const START_HINTS: Readonly<Record<string, string>> = {
  ENOENT: "the interpreter that its first line names, or the working directory, may not be there",
  EACCES: "this user may not run it, or the interpreter that its first line names",
  EPERM: "this user may not run it",
  ENOEXEC: NOT_A_PROGRAM,
  EFTYPE: NOT_A_PROGRAM,
  UNKNOWN: NOT_A_PROGRAM,
  E2BIG: "its arguments and environment are too long together",
  ENAMETOOLONG: "its arguments are too long",
  EAGAIN: NO_ROOM,
  EMFILE: NO_ROOM,
  ENFILE: NO_ROOM,
  ENOMEM: NO_ROOM,
};

/** The system did not start a program that is there. */
export function notStartedError(cause: unknown): TransportError {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : String(cause);
  const hint = Object.hasOwn(START_HINTS, code) ? START_HINTS[code] : undefined;
  return new TransportError(`the server process could not be started: ${code}`, {
    cause,
    stage: hint === NO_ROOM ? "connect" : "resolve",
    ...(hint === undefined ? {} : { hint }),
  });
}
