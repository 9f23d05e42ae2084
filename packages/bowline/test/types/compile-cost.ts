import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { PACKAGE } from "../source.ts";

const WORKSPACE = join(PACKAGE, "../..");
const TSC = join(WORKSPACE, "node_modules/typescript/bin/tsc");
const LIBRARIES = [
  "@standard-schema/spec",
  "@valibot/to-json-schema",
  "arktype",
  "typebox",
  "valibot",
  "zod",
];
const STRICT = {
  target: "ES2022",
  module: "NodeNext",
  lib: ["ES2023", "DOM", "ESNext.Disposable"],
  types: [],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  verbatimModuleSyntax: true,
  skipLibCheck: true,
  declaration: true,
  emitDeclarationOnly: true,
  outDir: "out",
};

/** What one run of the compiler says of a file of a user. */
export interface Compilation {
  /** Empty where it compiled. */
  readonly errors: string;
  readonly instantiations: number;
  readonly memoryBytes: number;
  readonly declarationBytes: number;
}

/** A project of a user, with the declarations of this package installed. End it with `remove`. */
export interface UserProject {
  compile(name: string, source: string): Promise<Compilation>;
  remove(): Promise<void>;
}

export async function createUserProject(): Promise<UserProject> {
  const folder = await mkdtemp(join(tmpdir(), "bowline-types-"));
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  for (const library of LIBRARIES) {
    const link = join(folder, "node_modules", library);
    await mkdir(dirname(link), { recursive: true });
    await symlink(installed(library), link);
  }
  await installDeclarations(join(folder, "node_modules/bowline"));
  return {
    compile: async (name, source) => {
      const [config, file] = [join(folder, `${name}.json`), `${name}.ts`];
      await writeFile(join(folder, file), source);
      await writeFile(config, JSON.stringify({ compilerOptions: STRICT, files: [file] }));
      const output = await runCompiler(["-p", config, "--extendedDiagnostics"]);
      const emitted = join(folder, "out", `${name}.d.ts`);
      return {
        errors: output
          .split("\n")
          .filter((line) => line.includes("error TS"))
          .join("\n"),
        instantiations: figure(output, /^Instantiations:\s+(\d+)/m),
        memoryBytes: figure(output, /^Memory used:\s+(\d+)K/m) * 1024,
        declarationBytes: existsSync(emitted) ? (await readFile(emitted)).length : 0,
      };
    },
    remove: () => rm(folder, { recursive: true }),
  };
}

function installed(library: string): string {
  const own = join(PACKAGE, "node_modules", library);
  return existsSync(own) ? own : join(WORKSPACE, "node_modules", library);
}

async function installDeclarations(folder: string): Promise<void> {
  await mkdir(folder);
  const manifest = await readFile(join(PACKAGE, "package.json"), "utf8");
  await writeFile(join(folder, "package.json"), manifest);
  const output = await runCompiler([
    "-p",
    join(PACKAGE, "tsconfig.web.json"),
    "--outDir",
    join(folder, "dist"),
    "--tsBuildInfoFile",
    join(folder, "build.tsbuildinfo"),
    "--declarationMap",
    "false",
    "--emitDeclarationOnly",
  ]);
  if (!existsSync(join(folder, "dist/server/index.d.ts"))) throw new Error(output);
}

async function runCompiler(options: readonly string[]): Promise<string> {
  const run = promisify(execFile)(process.execPath, [TSC, ...options], {
    maxBuffer: 64 * 1024 * 1024,
  });
  return run.then(
    ({ stdout }) => stdout,
    (error: { readonly stdout?: string }) => {
      if (typeof error.stdout === "string" && error.stdout !== "") return error.stdout;
      throw error;
    },
  );
}

function figure(output: string, pattern: RegExp): number {
  const found = pattern.exec(output)?.[1];
  if (found === undefined) throw new Error(`the compiler does not say ${pattern}: ${output}`);
  return Number(found);
}
