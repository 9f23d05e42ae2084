import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { TransportError } from "../../base/errors.ts";

export interface CommandOptions {
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly platform: string;
}

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
 * Throws a `TransportError` that says where it looked.
 */
export function resolveCommand(options: CommandOptions): string {
  const { command, cwd, env, platform } = options;
  const isWindows = platform === "win32";
  const suffixes = isWindows ? windowsSuffixes(command, valueOf(env, "PATHEXT")) : [""];
  const isPath = command.includes("/") || (isWindows && /[\\:]/.test(command));
  const folders = isPath
    ? [cwd]
    : ((isWindows ? valueOf(env, "PATH") : env["PATH"]) ?? "")
        .split(delimiter)
        .filter((folder) => isAbsolute(folder));
  for (const folder of folders) {
    for (const suffix of suffixes) {
      const file = isPath ? resolve(folder, command + suffix) : join(folder, command + suffix);
      if (isProgram(file)) return file;
    }
  }
  const name = JSON.stringify(command);
  throw new TransportError(
    isPath
      ? `no program ${name} in ${cwd}`
      : `program ${name} not found; PATH of the child is ${JSON.stringify(folders.join(delimiter))}. ` +
          "Give the full path of the program, or set PATH in env",
  );
}

/** The value of a variable, whatever the case of its name. */
const valueOf = (env: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.entries(env).find(([key]) => key.toUpperCase() === name)?.[1];

function windowsSuffixes(command: string, pathExt: string | undefined): readonly string[] {
  const known = (pathExt ?? ".COM;.EXE;.BAT;.CMD").split(";").filter((suffix) => suffix !== "");
  const hasSuffix = known.some((suffix) => command.toUpperCase().endsWith(suffix.toUpperCase()));
  return hasSuffix ? ["", ...known] : known;
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    // Not there, not readable or not executable: the next candidate may be.
    return false;
  }
}
