/**
 * Last step of the build, after `tsc -b`.
 *
 * - Outputs whose source is gone are removed, which the compiler does not do.
 * - Declarations import each other by the names of the shipped scripts. The compiler rewrites `./x.ts` to `./x.js` in
 *   scripts only; it resolves either itself, but other readers of declarations do not. Times of the files stay as
 *   they were, so that the next `tsc -b` still finds everything up to date.
 */
import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PACKAGES = fileURLToPath(new URL("../packages/", import.meta.url));
const OUTPUT = /(?:\.d\.ts|\.js)(?:\.map)?$/;
const TYPESCRIPT_ENDING = /((?:\bfrom|\bimport)\s*\(?\s*["']\.[^"']*)\.ts(?=["'])/g;

for (const name of readdirSync(PACKAGES)) {
  const [source, build] = [join(PACKAGES, name, "src"), join(PACKAGES, name, "dist")];
  if (!existsSync(build)) continue;
  for (const file of readdirSync(build, { recursive: true })) {
    if (!OUTPUT.test(file)) continue;
    const output = join(build, file);
    if (!existsSync(join(source, file.replace(OUTPUT, ".ts")))) rmSync(output);
    else if (file.endsWith(".d.ts")) renameImports(output);
  }
}

function renameImports(file) {
  const text = readFileSync(file, "utf8");
  const renamed = text.replaceAll(TYPESCRIPT_ENDING, "$1.js");
  if (renamed === text) return;
  const { atime, mtime } = statSync(file);
  writeFileSync(file, renamed);
  utimesSync(file, atime, mtime);
}
