import { spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";

/** Signals the process group a child leads; on Windows, ends its tree. */
export function killTree(child: ChildProcess, signal: "SIGTERM" | "SIGKILL"): void {
  const { pid } = child;
  if (pid === undefined) return;
  if (process.platform === "win32") {
    const taskkill = join(process.env["SystemRoot"] ?? "C:\\Windows", "System32", "taskkill.exe");
    const killer = spawn(taskkill, ["/pid", String(pid), "/t", "/f"], { stdio: "ignore" });
    killer.on("error", () => child.kill(signal));
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch (error) {
    // ESRCH: all are gone. Anything else, and the child itself is all that can be reached.
    if (!isNoSuchProcess(error)) child.kill(signal);
  }
}

/** Whether no process of the group is left. On Windows, where there is none, the child speaks for all. */
export function treeIsGone(pid: number): boolean {
  if (process.platform === "win32") return true;
  try {
    process.kill(-pid, 0);
    return false;
  } catch (error) {
    return isNoSuchProcess(error);
  }
}

const isNoSuchProcess = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ESRCH";
