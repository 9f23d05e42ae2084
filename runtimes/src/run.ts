/** `npm run runtimes`: the smoke suite on the built package, on every runtime that is installed here. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { closingLine, readClosingLine } from "../../tools/closing-line.mjs";
import { peerNode } from "../../tools/peers.mjs";

const SMOKE = fileURLToPath(new URL("smoke.js", import.meta.url));

interface Runtime {
  readonly name: string;
  readonly command: string | undefined;
  readonly args: readonly string[];
}

const RUNTIMES: readonly Runtime[] = [
  { name: "this Node", command: process.execPath, args: [SMOKE] },
  {
    name: "Node without code generation",
    command: process.execPath,
    args: ["--disallow-code-generation-from-strings", SMOKE],
  },
  { name: "Node 22", command: peerNode(), args: [SMOKE] },
  { name: "Bun", command: "bun", args: [SMOKE] },
  { name: "Deno", command: "deno", args: ["run", "--quiet", "--allow-read", "--allow-env", SMOKE] },
];

const total = { passed: 0, failed: 0, skipped: 0 };
for (const runtime of RUNTIMES) {
  const version = versionOf(runtime);
  if (version === undefined) {
    console.log(`${runtime.name}: not installed, skipped`);
    total.skipped += 1;
    continue;
  }
  console.log(`${runtime.name} (${version})`);
  const { status, stdout, stderr } = run(runtime, runtime.args);
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  const counts = readClosingLine(stdout) ?? { passed: 0, failed: 0, skipped: 0 };
  total.passed += counts.passed;
  total.failed += status === 0 || counts.failed > 0 ? counts.failed : 1;
}
console.log(closingLine(total));
process.exitCode = total.failed > 0 ? 1 : 0;

function versionOf(runtime: Runtime): string | undefined {
  const { status, stdout } = run(runtime, ["--version"]);
  return status === 0 ? stdout.trim().split("\n")[0] : undefined;
}

function run({ command }: Runtime, args: readonly string[]) {
  if (command === undefined) return { status: -1, stdout: "", stderr: "" };
  return spawnSync(command, args, { encoding: "utf8", timeout: 60_000 });
}
