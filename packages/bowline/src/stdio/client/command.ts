import { accessSync, constants, statSync } from "node:fs";
import { posix, win32, type PlatformPath } from "node:path";
import { TransportError } from "../../base/errors.ts";

export interface CommandOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** Absolute path. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly platform: string;
  /** Default: asks the file system. */
  readonly lookAt?: (path: string) => Found | undefined;
}

export type Found = "program" | "file" | "folder";

/** What Windows starts: itself, or by its command processor. Other endings of PATHEXT name documents. */
const WINDOWS_PROGRAMS = new Set([".COM", ".EXE", ".BAT", ".CMD"]);

/** Throws a `TypeError` for what no program can be given. */
export function assertArguments(command: unknown, args: readonly unknown[]): void {
  if (typeof command !== "string" || command === "") {
    throw new TypeError("command must be the name or path of a program");
  }
  for (const part of [command, ...args]) {
    if (typeof part !== "string") throw new TypeError("args must be strings, one per argument");
    if (part.includes("\0")) throw new TypeError(`${JSON.stringify(part)} holds a NUL`);
  }
}

/**
 * The absolute path of a program. A bare name is looked up in the PATH the child gets; entries that are
 * empty or relative are passed over, so that the working directory never decides what runs. A name with
 * a slash is a path relative to `cwd`.
 *
 * Throws a `TransportError` that says where it looked, and a `TypeError` for arguments that would not reach a batch
 * file of Windows as they are.
 */
export function resolveCommand(options: CommandOptions): string {
  const { command, args, cwd, env, platform, lookAt = lookAtFile } = options;
  const isWindows = platform === "win32";
  if (lookAt(cwd) !== "folder") {
    throw notFound(`the working directory ${JSON.stringify(cwd)} is not there`, "set cwd");
  }
  const path = isWindows ? win32 : posix;
  const isPath = command.includes("/") || (isWindows && /[\\:]/.test(command));
  const folders = isPath ? [cwd] : foldersOf(isWindows ? valueOf(env, "PATH") : env["PATH"], path);
  const suffixes = isWindows ? windowsSuffixes(command, valueOf(env, "PATHEXT")) : [""];
  const file = folders
    .flatMap((folder) => suffixes.map((suffix) => path.resolve(folder, command + suffix)))
    .find((candidate) => lookAt(candidate) === "program");
  if (file !== undefined) {
    if (isWindows) assertBatchArguments(file, args);
    return file;
  }
  if (!isPath) throw notOnPath(command, folders.join(path.delimiter));
  const name = JSON.stringify(command);
  throw lookAt(path.resolve(cwd, command)) === "file"
    ? notFound(`${name} in ${cwd} is no program that the system starts`, hintForFile(command))
    : notFound(`no program ${name} in ${cwd}`, hintFor(command));
}

const foldersOf = (value: string | undefined, path: PlatformPath): readonly string[] =>
  (value ?? "").split(path.delimiter).filter((folder) => path.isAbsolute(folder));

function notOnPath(command: string, path: string): TransportError {
  const message = `program ${JSON.stringify(command)} not found; PATH of the child is ${JSON.stringify(path)}`;
  return notFound(
    message,
    hintFor(command) ?? "give the full path of the program, or set PATH in env",
  );
}

const notFound = (message: string, hint: string | undefined): TransportError =>
  new TransportError(message, { stage: "resolve", ...(hint === undefined ? {} : { hint }) });

/** What was meant, where it was meant for a shell. */
function hintFor(command: string): string | undefined {
  if (/^~|\$\w|\$\{|%\w+%/.test(command)) {
    return "no shell reads the command: ~ and variables are not replaced";
  }
  const [program, ...args] = command.trim().split(/\s+/);
  if (args.length === 0) return undefined;
  return `arguments do not belong to the command: ${JSON.stringify({ command: program, args })}`;
}

const hintForFile = (file: string): string =>
  `start it by its interpreter, such as ${JSON.stringify({ command: "node", args: [file] })}, or make it executable`;

/** The value of a variable, whatever the case of its name. */
const valueOf = (env: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.entries(env).find(([key]) => key.toUpperCase() === name)?.[1];

function windowsSuffixes(command: string, pathExt: string | undefined): readonly string[] {
  const known = (pathExt ?? [...WINDOWS_PROGRAMS].join(";"))
    .split(";")
    .filter((suffix) => WINDOWS_PROGRAMS.has(suffix.toUpperCase()));
  const hasSuffix = WINDOWS_PROGRAMS.has(win32.extname(command).toUpperCase());
  return hasSuffix ? ["", ...known] : known;
}

/**
 * A batch file is run by the command processor, which reads the arguments twice where the file hands them on, as that
 * of `npx` does: quotes keep them together the second time, unless they hold quotes or end the line.
 */
function assertBatchArguments(file: string, args: readonly string[]): void {
  if (!/\.(?:bat|cmd)$/i.test(file)) return;
  const unsafe = args.find((argument) => /["\r\n]/.test(argument));
  if (unsafe === undefined) return;
  throw new TypeError(
    `args: ${JSON.stringify(unsafe)} holds a quote or line break, which a batch file such as ${file} may ` +
      "take for a command: start the program behind it, such as node with the path of a script",
  );
}

function lookAtFile(path: string): Found | undefined {
  try {
    const stats = statSync(path);
    if (stats.isDirectory()) return "folder";
    if (!stats.isFile()) return undefined;
  } catch {
    // Not there, or not to be looked at: the next candidate may be.
    return undefined;
  }
  try {
    accessSync(path, constants.X_OK);
    return "program";
  } catch {
    return "file";
  }
}
