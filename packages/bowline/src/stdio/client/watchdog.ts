import { spawn } from "node:child_process";

export interface WatchdogOptions {
  /** Leader of the process group it ends. */
  readonly pid: number;
  readonly eofGraceMs: number;
  readonly termGraceMs: number;
  /** A POSIX shell. Default: that of the system. */
  readonly shell?: string;
  /** There is no watchdog. */
  readonly onMissing: (cause: Error) => void;
}

/** What ends a process group when this process is gone, however it went. */
export interface Watchdog {
  /** Calls it off. Settles when it is gone itself. */
  dismiss(): Promise<void>;
}

/**
 * Reads a pipe that only this process can write to. Its end means that this process is gone; then the server has
 * the usual graces. It looks every second whether the group is gone, so as not to signal a later one of that number.
 */
const SCRIPT = `
  trap "" HUP INT QUIT TERM
  while read -r _; do :; done
  within() {
    left=$1
    while [ "$left" -gt 0 ]; do
      kill -s 0 -- "-$group" || exit 0
      sleep 1
      left=$((left - 1))
    done
  }
  group=$1
  within "$2"
  kill -s TERM -- "-$group" || exit 0
  within "$3"
  kill -s KILL -- "-$group"
`;

/** On Windows a child dies with its parent already, by a job object of the runtime: there is none. */
export function startWatchdog(options: WatchdogOptions): Watchdog | undefined {
  if (process.platform === "win32") return undefined;
  const { pid, eofGraceMs, termGraceMs, shell = "/bin/sh", onMissing } = options;
  const seconds = [eofGraceMs, termGraceMs].map((ms) => String(Math.ceil(ms / 1_000)));
  const watchdog = spawn(shell, ["-c", SCRIPT, "bowline-watchdog", String(pid), ...seconds], {
    cwd: "/",
    env: { PATH: "/usr/bin:/bin" },
    stdio: ["pipe", "ignore", "ignore"],
    // What a terminal sends to this process's group must not reach it.
    detached: true,
  });
  let isGone = false;
  const gone = new Promise<void>((resolve) => {
    const end = (): void => {
      isGone = true;
      resolve();
    };
    watchdog.once("exit", end);
    watchdog.once("error", (error) => {
      end();
      onMissing(error);
    });
  });
  // Nothing is ever written: that it does not read is no failure.
  watchdog.stdin.on("error", () => undefined);
  watchdog.unref();
  unrefPipe(watchdog.stdin);
  return {
    dismiss: () => {
      if (!isGone) {
        watchdog.ref();
        watchdog.kill("SIGKILL");
      }
      return gone;
    },
  };
}

/** Pipes to children are sockets, which the types do not say. */
function unrefPipe(pipe: object): void {
  if ("unref" in pipe && typeof pipe.unref === "function") pipe.unref();
}
