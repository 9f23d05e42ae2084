import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export interface Fixture {
  readonly url: string;
  /** Resolves when the process is gone. */
  stop(): Promise<void>;
}

/** Start the server fixture in a process of its own; rejects if it ends before it says its URL. */
export async function startFixture(): Promise<Fixture> {
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL("server/main.js", import.meta.url))],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const gone = new Promise<never>((_resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`the fixture ended with ${code}`)));
  });
  gone.catch(() => undefined);
  const lines = createInterface({ input: child.stdout });
  const url = new Promise<string>((resolve) => lines.once("line", resolve));
  return {
    url: await Promise.race([url, gone]),
    stop: async () => {
      child.kill("SIGTERM");
      await gone.catch(() => undefined);
    },
  };
}
