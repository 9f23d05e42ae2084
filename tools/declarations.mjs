/**
 * Last step of the build: declarations import each other by the names of the shipped scripts.
 *
 * The compiler rewrites `./x.ts` to `./x.js` in scripts but not in declarations. Its own later versions resolve
 * either; other readers of declarations know only the latter. Times of the files stay as they were, so that the next
 * `tsc -b` still finds everything up to date.
 */
import {
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PACKAGES = fileURLToPath(new URL("../packages/", import.meta.url));
const TYPESCRIPT_ENDING = /((?:\bfrom|\bimport)\s*\(?\s*["']\.[^"']*)\.ts(?=["'])/g;

for (const file of declarations()) {
  const text = readFileSync(file, "utf8");
  const rewritten = text.replaceAll(TYPESCRIPT_ENDING, "$1.js");
  if (rewritten === text) continue;
  const { atime, mtime } = statSync(file);
  writeFileSync(file, rewritten);
  utimesSync(file, atime, mtime);
}

function declarations() {
  const builds = readdirSync(PACKAGES).map((name) => join(PACKAGES, name, "dist"));
  return builds
    .filter((build) => existsSync(build))
    .flatMap((build) => readdirSync(build, { recursive: true }).map((name) => join(build, name)))
    .filter((file) => file.endsWith(".d.ts"));
}
