import { expect, test } from "vitest";
import { startWatchdog } from "./watchdog.ts";

const options = { pid: 0, eofGraceMs: 1, termGraceMs: 1 };

test.skipIf(process.platform === "win32")("a system without a shell is told of", async () => {
  let watchdog: ReturnType<typeof startWatchdog>;
  const cause = await new Promise<Error>((onMissing) => {
    watchdog = startWatchdog({ ...options, shell: "/no/such/shell", onMissing });
  });
  expect(cause).toMatchObject({ code: "ENOENT" });
  await watchdog?.dismiss();
});
