import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const URL_IN_LINE = /http:\/\/[^\s'"]+/;

export interface ServerProcess {
  readonly url: string;
  /** Resolves when the process is gone. */
  stop(): Promise<void>;
}

/** Starts a program that says on stdout where it listens; rejects if it ends before it does. */
export async function startServer(args: readonly string[]): Promise<ServerProcess> {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const gone = new Promise<never>((_resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`${args[0]} ended with ${code}`)));
  });
  gone.catch(() => undefined);
  const url = new Promise<string>((resolve) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const found = URL_IN_LINE.exec(line);
      if (found !== null) resolve(found[0]);
    });
  });
  return {
    url: await Promise.race([url, gone]),
    stop: async () => {
      child.kill("SIGTERM");
      await gone.catch(() => undefined);
    },
  };
}
