/** A page in a real browser, on another origin than the notes server it talks to. */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { chromium, type Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const CHROMIUM = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
const isMissing = !existsSync(CHROMIUM) && process.env["CI"] !== "true";

const PAGE = fileURLToPath(new URL("page.ts", import.meta.url));
const NOTES = fileURLToPath(new URL("../dist/notes/http.js", import.meta.url));

interface Started {
  readonly url: string;
  stop(): Promise<void> | void;
}

describe.skipIf(isMissing)(`a page in ${CHROMIUM}`, () => {
  const started: Started[] = [];
  let browser: Browser;
  let page: Started;
  beforeAll(async () => {
    page = await servePage();
    started.push(page);
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    for (const one of started) await one.stop();
  });

  async function visit(allowedOrigin: string): Promise<unknown> {
    const notes = await serveNotes(allowedOrigin);
    started.push(notes);
    const tab = await browser.newPage();
    await tab.goto(page.url);
    return tab.evaluate((url) => window.visit?.(url), notes.url);
  }

  test("discovers, lists, calls, follows progress, answers and listens across origins", async () => {
    expect(await visit(new URL(page.url).origin)).toMatchObject({
      supportedVersions: ["2026-07-28"],
      tools: expect.arrayContaining(["search_notes", "reindex"]),
      found: { hits: [{ path: "harbour.md" }] },
      progress: [1, 2],
      isError: undefined,
      asked: ["Delete meadow.md (29 bytes) for good?"],
      deleted: { deleted: true },
      change: { kind: "resourcesListChanged" },
    });
  }, 60_000);

  test("T-20 is told nothing where its origin is not allowed", async () => {
    await expect(visit("https://example.com")).rejects.toThrow("no answer from");
  }, 60_000);
});

/** The bundled program in an empty page. */
async function servePage(): Promise<Started> {
  const { outputFiles } = await build({
    entryPoints: [PAGE],
    bundle: true,
    write: false,
    format: "esm",
    target: "es2022",
  });
  const script = outputFiles[0]?.text ?? "";
  const server = createServer((request, response) => {
    const isScript = request.url === "/page.js";
    response.setHeader("Content-Type", isScript ? "text/javascript" : "text/html");
    response.end(isScript ? script : '<script type="module" src="/page.js"></script>');
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return { url: `http://127.0.0.1:${portOf(server)}/`, stop: () => void server.close() };
}

/** The notes example in a process of its own, over a folder of its own. */
async function serveNotes(allowedOrigin: string): Promise<Started> {
  const folder = mkdtempSync(join(tmpdir(), "bowline-browser-"));
  writeFileSync(join(folder, "harbour.md"), "# Harbour\n\nThe keeper counts gulls.\n");
  writeFileSync(join(folder, "meadow.md"), "# Meadow\n\nNothing but larks.\n");
  const child = spawn(process.execPath, [NOTES, folder], {
    env: { ...process.env, PORT: "0", ALLOWED_ORIGINS: allowedOrigin },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const gone = new Promise((resolve) => child.once("exit", resolve));
  const url = await new Promise<string>((resolve) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const found = /http:\/\/\S+/.exec(line);
      if (found !== null) resolve(found[0]);
    });
  });
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    await gone;
    rmSync(folder, { recursive: true, force: true });
  };
  return { url, stop };
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}
