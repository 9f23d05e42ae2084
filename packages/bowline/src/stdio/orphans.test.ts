import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundleFixtures, META, type Fixtures } from "../../test/stdio.ts";
import { connectStdio } from "./connect.ts";

let fixtures: Fixtures;
let folder: string;

beforeAll(async () => {
  fixtures = await bundleFixtures("stdio-child", "stdio-host");
  folder = mkdtempSync(join(tmpdir(), "bowline-orphans-"));
});
afterAll(() => {
  fixtures.remove();
  rmSync(folder, { recursive: true });
});

const isWindows = process.platform === "win32";

describe.skipIf(isWindows)("a host that ends without closing", { timeout: 60_000 }, () => {
  test.each(["is killed", "exits", "throws"])(
    "T-17 BR-010 leaves nothing of a tree that ignores SIGTERM: it %s",
    async (how) => {
      const lifeline = join(folder, how.replace(" ", "-"));
      const ends: Promise<unknown>[] = [];
      const listener = createServer((socket: Socket) => {
        socket.on("error", () => undefined);
        ends.push(once(socket.resume(), "close"));
      });
      listener.listen(lifeline);
      await once(listener, "listening");
      const host = spawn(
        process.execPath,
        [fixtures.path("stdio-host"), how, fixtures.path("stdio-child"), lifeline],
        { stdio: ["ignore", "ignore", "ignore"] },
      );
      const [code, signal] = (await once(host, "exit")) as [number | null, string | null];
      expect(code ?? signal).toBe({ exits: 0, throws: 1 }[how] ?? "SIGKILL");
      // Three processes, each of which is gone when its connection is.
      expect(ends).toHaveLength(3);
      await Promise.all(ends);
      listener.close();
    },
  );
});

/** A server that costs next to nothing. */
const SCRIPT = `
  n=0
  while read -r line; do
    n=$((n + 1))
    echo "{\\"jsonrpc\\":\\"2.0\\",\\"id\\":$n,\\"result\\":{\\"resultType\\":\\"complete\\"}}"
  done
`;

/** Processes below this one, by their group or parent; the name and number of each. */
function processesOf(groups: ReadonlySet<number>): readonly string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => statusOf(name))
    .filter(
      ({ parent, group, name }) => groups.has(group) || (parent === process.pid && name === "sh"),
    )
    .map(({ name, pid }) => `${name} ${pid}`);
}

function statusOf(pid: string) {
  let text = "";
  try {
    text = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    // It is gone.
  }
  const [, name, , parent, group] = /\((.*)\) (\S) (\d+) (\d+)/.exec(text) ?? [];
  return { pid, name, parent: Number(parent), group: Number(group) };
}

describe.skipIf(!existsSync("/proc/self/stat"))("200 lives", { timeout: 120_000 }, () => {
  test.each(["closed", "killed"])("T-17 BR-010 leave no process: %s", async (how) => {
    const groups = new Set<number>();
    const live = async (leftover: string): Promise<void> => {
      const connection = connectStdio({
        command: "/bin/sh",
        args: ["-c", leftover + SCRIPT],
        restart: false,
        eofGraceMs: 1,
        termGraceMs: 5_000,
      });
      const pid = connection.pid ?? 0;
      groups.add(pid);
      const meta = { protocolVersion: "2026-07-28", clientCapabilities: {}, raw: META };
      const { signal } = new AbortController();
      const context = { id: 1, signal, notify: () => Promise.resolve() };
      expect(
        await connection.exchange({ method: "tools/list", params: {}, meta }, context),
      ).toEqual({ resultType: "complete" });
      if (how === "killed") {
        process.kill(pid, "SIGKILL");
        await connection.closed;
      }
      await connection.close();
    };
    for (let done = 0; done < 200; done += 10) {
      // oxlint-disable-next-line no-await-in-loop -- ten at a time
      await Promise.all(Array.from({ length: 10 }, () => live(done === 0 ? "sleep 1000 &" : "")));
    }
    expect(groups.size).toBe(200);
    expect(processesOf(groups)).toEqual([]);
  });
});
