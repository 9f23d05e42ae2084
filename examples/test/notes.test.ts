import { exec, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer as createTcpServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { connect, createClient, type Progress } from "bowline";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createNotesServer, type NotesServer } from "../dist/notes/server.js";
import { openNoteStore } from "../dist/notes/store.js";

const NOTES: Readonly<Record<string, string>> = {
  "harbour.md": "# Harbour\n\nThe keeper of the lighthouse counts gulls.\n",
  "ideas/tea ☕.md": "Oolong first, then the lighthouse.\n",
  "meadow.md": "# Meadow\n\nNothing but larks. Larks and larks.\n",
};
const TEA = "note://ideas/tea%20%E2%98%95.md";
const built = (file: string) => fileURLToPath(new URL(`../dist/notes/${file}`, import.meta.url));

let parent: string;
let folder: string;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "bowline-notes-"));
  folder = join(parent, "notes");
  mkdirSync(join(folder, "ideas"), { recursive: true });
  for (const [path, text] of Object.entries(NOTES)) writeFileSync(join(folder, path), text);
  writeFileSync(join(parent, "secret.md"), "canary");
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

const openServer = async () => createNotesServer(await openNoteStore(folder));

/** The client of a fresh server over the folder. */
async function open() {
  const server = await openServer();
  const client = createClient(server);
  return { server, client };
}

const listed = (client: Awaited<ReturnType<typeof open>>["client"]) =>
  client.listResources().then((resources) => resources.map(({ uri }) => uri));

/** What a server tells a subscriber from its acknowledgement on, until `stop`. */
async function subscribe(server: NotesServer, uris: readonly string[]) {
  const told: unknown[] = [];
  const controller = new AbortController();
  const meta = { protocolVersion: "2026-07-28", clientCapabilities: {}, raw: {} };
  const notifications = { resourcesListChanged: true, resourceSubscriptions: uris };
  let acknowledge = (): void => undefined;
  const acknowledged = new Promise<void>((resolve) => {
    acknowledge = resolve;
  });
  const ended = server
    .exchange(
      { method: "subscriptions/listen", params: { notifications }, meta },
      {
        id: "s",
        signal: controller.signal,
        notify: async ({ method, params }) => {
          told.push("uri" in (params ?? {}) ? [method, (params as { uri: string }).uri] : [method]);
          acknowledge();
        },
      },
    )
    .catch(() => undefined);
  await acknowledged;
  return {
    told,
    stop: async () => {
      controller.abort();
      await ended;
    },
  };
}

/** Names of all files and folders, so that what was made or renamed shows. */
function listBelow(place: string): readonly string[] {
  return readdirSync(place, { recursive: true, encoding: "utf8" }).toSorted();
}

describe("reading", () => {
  test("every note is listed and read, under a URI that escapes what it must", async () => {
    const { client } = await open();
    const resources = await client.listResources();
    expect(resources).toEqual([
      { uri: "note://harbour.md", name: "harbour.md", title: "Harbour", mimeType: "text/markdown" },
      { uri: TEA, name: "ideas/tea ☕.md", title: "ideas/tea ☕.md", mimeType: "text/markdown" },
      { uri: "note://meadow.md", name: "meadow.md", title: "Meadow", mimeType: "text/markdown" },
    ]);
    for (const { uri, name } of resources) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const { contents } = await client.readResource(uri);
      expect(contents).toEqual([{ uri, mimeType: "text/markdown", text: NOTES[name] }]);
    }
  });

  test("the template reads notes that are not listed yet", async () => {
    const { client } = await open();
    writeFileSync(join(folder, "ideas/new.md"), "fresh");
    const { contents } = await client.readResource("note://ideas/new.md");
    expect(contents).toEqual([
      { uri: "note://ideas/new.md", mimeType: "text/markdown", text: "fresh" },
    ]);
    expect(await client.listResourceTemplates()).toEqual([
      {
        uriTemplate: "note://{+path}",
        name: "note",
        title: "A note",
        description: "Any note by its path, new ones included",
        mimeType: "text/markdown",
      },
    ]);
  });

  test("paths are completed in the template and the prompt, folders passed over", async () => {
    const { client } = await open();
    const argument = { name: "path", value: "te" };
    const template = { type: "ref/resource", uri: "note://{+path}" } as const;
    const prompt = { type: "ref/prompt", name: "summarize_note" } as const;
    const expected = { values: ["ideas/tea ☕.md"], total: 1, hasMore: false };
    expect(await client.complete({ ref: template, argument })).toEqual(expected);
    expect(await client.complete({ ref: prompt, argument })).toEqual(expected);
  });

  test("the prompt holds the note", async () => {
    const { client } = await open();
    const { messages } = await client.getPrompt("summarize_note", { path: "meadow.md" });
    expect(messages.map(({ content }) => content)).toEqual([
      { type: "text", text: expect.stringContaining('"meadow.md"') as string },
      {
        type: "resource",
        resource: {
          uri: "note://meadow.md",
          mimeType: "text/markdown",
          text: NOTES["meadow.md"],
        },
      },
    ]);
    await expect(client.getPrompt("summarize_note", { path: "no.md" })).rejects.toMatchObject({
      rpcCode: -32602,
      message: 'note "no.md" not found',
      data: { uri: "note://no.md" },
    });
  });

  test("RSRC-25 what is not there is named as it was asked for", async () => {
    const { client } = await open();
    const uri = "note://..%2f..%2fetc/passwd";
    await expect(client.readResource(uri)).rejects.toMatchObject({
      rpcCode: -32602,
      data: { uri },
    });
  });

  test("search ranks by the words of the query and quotes where they stand", async () => {
    const { client } = await open();
    const found = await client.callTool("search_notes", { query: "LIGHTHOUSE gulls" });
    expect(found.structuredContent).toEqual({
      total: 2,
      hits: [
        {
          path: "harbour.md",
          uri: "note://harbour.md",
          title: "Harbour",
          excerpt: "The keeper of the lighthouse counts gulls.",
        },
        {
          path: "ideas/tea ☕.md",
          uri: TEA,
          title: "ideas/tea ☕.md",
          excerpt: "Oolong first, then the lighthouse.",
        },
      ],
    });
    const one = await client.callTool("search_notes", { query: "lighthouse", limit: 1 });
    expect(one.structuredContent).toMatchObject({
      total: 2,
      hits: [{ title: expect.any(String) as string }],
    });
    const none = await client.callTool("search_notes", { query: "whale" });
    expect(none.structuredContent).toEqual({ total: 0, hits: [] });
  });

  test("tools are listed with schemas and say what they do to the folder", async () => {
    const { client } = await open();
    const tools = await client.listTools();
    expect(
      tools.map(({ name, annotations, outputSchema }) => [
        name,
        annotations?.readOnlyHint,
        annotations?.destructiveHint,
        outputSchema?.["type"],
      ]),
    ).toEqual([
      ["search_notes", true, undefined, "object"],
      ["create_note", false, false, "object"],
      ["append_note", false, false, "object"],
      ["rename_note", false, false, "object"],
      ["reindex", false, false, "object"],
      ["delete_note", false, true, "object"],
      ["plan_note", false, false, "object"],
      ["suggest_title", true, undefined, "object"],
      ["locate_folder", true, undefined, "object"],
    ]);
  });
});

describe("writing", () => {
  test("a created note is on disk, listed, found and announced", async () => {
    const { server, client } = await open();
    const { told, stop } = await subscribe(server, []);
    const path = "ideas/deep/well.md";
    const created = await client.callTool("create_note", { path, text: "# Well\n\nDeep water." });
    expect(created.structuredContent).toEqual({ path, uri: `note://${path}` });
    expect(readFileSync(join(folder, path), "utf8")).toBe("# Well\n\nDeep water.");
    expect(await listed(client)).toContain(`note://${path}`);
    const found = await client.callTool("search_notes", { query: "deep water" });
    expect(found.structuredContent).toMatchObject({ total: 1, hits: [{ title: "Well" }] });
    await stop();
    expect(told).toEqual([
      ["notifications/subscriptions/acknowledged"],
      ["notifications/resources/list_changed"],
    ]);
  });

  test("create and rename never overwrite", async () => {
    const { client } = await open();
    const created = await client.callTool("create_note", { path: "meadow.md", text: "gone" });
    const renamed = await client.callTool("rename_note", {
      path: "harbour.md",
      newPath: "meadow.md",
    });
    const content = [{ type: "text", text: 'note "meadow.md" exists already' }];
    expect([created, renamed]).toMatchObject([
      { isError: true, content },
      { isError: true, content },
    ]);
    expect(readFileSync(join(folder, "meadow.md"), "utf8")).toBe(NOTES["meadow.md"]);
    expect(readFileSync(join(folder, "harbour.md"), "utf8")).toBe(NOTES["harbour.md"]);
  });

  test("appending keeps every line, in parallel too, and tells subscribers of that note", async () => {
    const { server, client } = await open();
    const { told, stop } = await subscribe(server, ["note://meadow.md"]);
    await Promise.all(
      [1, 2, 3].map((number) =>
        client.callTool("append_note", { path: "meadow.md", text: `line ${number}` }),
      ),
    );
    await client.callTool("append_note", { path: "harbour.md", text: "unheard" });
    const text = readFileSync(join(folder, "meadow.md"), "utf8");
    expect(text.startsWith(NOTES["meadow.md"] ?? "")).toBe(true);
    expect(text.slice(NOTES["meadow.md"]?.length).split("\n").toSorted()).toEqual([
      "line 1",
      "line 2",
      "line 3",
    ]);
    await stop();
    expect(told[0]).toEqual(["notifications/subscriptions/acknowledged"]);
    expect(new Set(told.slice(1).map(String))).toEqual(
      new Set(["notifications/resources/updated,note://meadow.md"]),
    );
    const missing = await client.callTool("append_note", { path: "no.md", text: "x" });
    expect(missing).toMatchObject({
      isError: true,
      content: [{ type: "text", text: 'note "no.md" not found' }],
    });
  });

  test("a renamed note has moved everywhere", async () => {
    const { client } = await open();
    await client.callTool("rename_note", { path: "meadow.md", newPath: "fields/lea.md" });
    expect(await listed(client)).toEqual(["note://harbour.md", TEA, "note://fields/lea.md"]);
    expect(existsSync(join(folder, "meadow.md"))).toBe(false);
    await expect(client.readResource("note://meadow.md")).rejects.toMatchObject({
      rpcCode: -32602,
    });
    const found = await client.callTool("search_notes", { query: "larks" });
    expect(found.structuredContent).toMatchObject({ hits: [{ path: "fields/lea.md" }] });
  });

  test("no draft is left behind", async () => {
    const { client } = await open();
    await client.callTool("create_note", { path: "a.md", text: "a" });
    await client.callTool("create_note", { path: "a.md", text: "b" });
    await client.callTool("append_note", { path: "a.md", text: "x".repeat(1024 * 1024) });
    expect(readdirSync(folder).toSorted()).toEqual(["a.md", "harbour.md", "ideas", "meadow.md"]);
    expect(readFileSync(join(folder, "a.md"), "utf8")).toBe("a");
  });

  test("reindex reports progress and takes in what others changed", async () => {
    const { server, client } = await open();
    const { told, stop } = await subscribe(server, ["note://harbour.md"]);
    rmSync(join(folder, "meadow.md"));
    writeFileSync(join(folder, "owl.md"), "# Owl\n");
    writeFileSync(join(folder, "harbour.md"), "# Harbour\n\nEmpty now.\n");
    const seen: Progress[] = [];
    const done = await client.callTool("reindex", {}, { onProgress: (each) => seen.push(each) });
    expect(done.structuredContent).toEqual({ notes: 3, words: 12 });
    expect(seen.at(-1)).toMatchObject({ progress: 3, total: 3, message: "read owl.md" });
    expect(await listed(client)).toEqual(["note://harbour.md", TEA, "note://owl.md"]);
    await stop();
    expect(told.map(String)).toContain("notifications/resources/updated,note://harbour.md");
    expect(told.map(String)).toContain("notifications/resources/list_changed");
  });
});

describe("the folder is a boundary", () => {
  const OUTSIDE = [
    "../secret.md",
    "ideas/../../secret.md",
    "ideas/../meadow.md",
    "/etc/passwd.md",
    "./meadow.md",
    "ideas//x.md",
    "..\\secret.md",
    "C:/x.md",
    "a\0.md",
    ".hidden.md",
    ".git/config.md",
    "ideas",
    "meadow.txt",
    `${"x/".repeat(20)}y.md`,
    `${"x".repeat(600)}.md`,
    "",
  ];

  test.each(OUTSIDE)("no tool, resource or prompt takes the path %j", async (path) => {
    const { client } = await open();
    const before = listBelow(parent);
    const answers = await Promise.all([
      client.callTool("create_note", { path, text: "x" }),
      client.callTool("append_note", { path, text: "x" }),
      client.callTool("rename_note", { path: "meadow.md", newPath: path }),
      client.callTool("rename_note", { path, newPath: "stolen.md" }),
    ]);
    expect(answers.map(({ isError }) => isError)).toEqual([true, true, true, true]);
    const encoded = path.split("/").map(encodeURIComponent).join("/");
    await expect(client.readResource(`note://${encoded}`)).rejects.toMatchObject({
      rpcCode: -32602,
    });
    await expect(client.readResource(`note://${encodeURIComponent(path)}`)).rejects.toMatchObject({
      rpcCode: -32602,
    });
    await expect(client.getPrompt("summarize_note", { path })).rejects.toMatchObject({
      rpcCode: -32602,
    });
    expect(listBelow(parent)).toEqual(before);
    expect(readFileSync(join(parent, "secret.md"), "utf8")).toBe("canary");
  });

  test("symbolic links are neither listed nor followed, wherever they lead", async () => {
    symlinkSync(join(parent, "secret.md"), join(folder, "link.md"));
    symlinkSync(parent, join(folder, "up"));
    symlinkSync(join(folder, "meadow.md"), join(folder, "inner.md"));
    symlinkSync(join(parent, "nowhere.md"), join(folder, "dangling.md"));
    const { client } = await open();
    expect(await listed(client)).toEqual(["note://harbour.md", TEA, "note://meadow.md"]);
    for (const path of ["link.md", "up/secret.md", "inner.md", "dangling.md"]) {
      const uri = `note://${path}`;
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await expect(client.readResource(uri)).rejects.toMatchObject({ rpcCode: -32602 });
      // oxlint-disable-next-line no-await-in-loop -- as above
      const answers = await Promise.all([
        client.callTool("create_note", { path, text: "x" }),
        client.callTool("append_note", { path, text: "x" }),
        client.callTool("rename_note", { path, newPath: "stolen.md" }),
        client.callTool("create_note", { path: "up/new.md", text: "x" }),
      ]);
      expect(answers.map(({ isError }) => isError)).toEqual([true, true, true, true]);
    }
    expect(readdirSync(parent).toSorted()).toEqual(["notes", "secret.md"]);
    expect(readFileSync(join(parent, "secret.md"), "utf8")).toBe("canary");
  });

  test("notes that are no text or too large are refused with a reason", async () => {
    writeFileSync(join(folder, "bytes.md"), Uint8Array.of(0xff, 0xfe, 0x00));
    writeFileSync(join(folder, "large.md"), "x".repeat(1024 * 1024 + 1));
    const { client } = await open();
    await expect(client.readResource("note://bytes.md")).rejects.toMatchObject({
      message: 'note "bytes.md" is not UTF-8 text',
    });
    await expect(client.readResource("note://large.md")).rejects.toMatchObject({
      message: "a note holds at most 1048576 bytes",
    });
  });
});

describe("the programs", { timeout: 60_000 }, () => {
  /** Starts the HTTP side; gives what it printed, up to the client line. */
  async function serve() {
    const child = spawn(process.execPath, [built("http.js"), folder], {
      env: { ...process.env, PORT: "0" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const printed: string[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      printed.push(line);
      if (line.startsWith("node ")) break;
    }
    const stop = async () => {
      const exited = once(child, "exit");
      child.kill("SIGTERM");
      expect(await exited).toEqual([0, null]);
    };
    const line = (start: string) => printed.find((each) => each.startsWith(start)) ?? "";
    const [url = ""] = /http:\/\/\S+/.exec(printed[0] ?? "") ?? [];
    return { url, curl: line("curl "), client: line("node "), stop };
  }

  test("the printed curl line and the printed client line search the notes", async () => {
    writeFileSync(join(folder, "work.md"), "# Work\n\nproperly in progress\n");
    const { url, curl, client, stop } = await serve();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    const hit = {
      path: "work.md",
      uri: "note://work.md",
      title: "Work",
      excerpt: "properly in progress",
    };
    const { stdout } = await promisify(exec)(`${curl} --silent --show-error`);
    expect(JSON.parse(stdout)).toMatchObject({
      jsonrpc: "2.0",
      id: 1,
      result: { resultType: "complete", structuredContent: { total: 1, hits: [hit] } },
    });
    const repository = fileURLToPath(new URL("../..", import.meta.url));
    const printed = await promisify(exec)(client, { cwd: repository });
    expect(printed.stdout).toContain("note://work.md");
    await stop();
  });

  test("stdio serves the same notes", async () => {
    await using client = await connect<NotesServer>({
      command: process.execPath,
      args: [built("stdio.js"), folder],
    });
    expect((await client.listResources()).map(({ name }) => name)).toEqual(Object.keys(NOTES));
    const found = await client.callTool("search_notes", { query: "larks" });
    expect(found.structuredContent).toMatchObject({ total: 1, hits: [{ path: "meadow.md" }] });
  });

  test("a taken port, a bad port and a missing folder are named", async () => {
    const blocker = createTcpServer().listen(0, "127.0.0.1");
    await once(blocker, "listening");
    const address = blocker.address();
    const port = typeof address === "object" ? String(address?.port) : "";
    const run = (PORT: string, given = folder) =>
      promisify(execFile)(process.execPath, [built("http.js"), given], {
        env: { ...process.env, PORT },
      }).catch((error: { code: number; stderr: string }) => [
        error.code,
        error.stderr.split(":")[0],
      ]);
    expect(await run(port)).toEqual([1, `port ${port} is in use`]);
    expect(await run("http")).toEqual([1, 'PORT is "http", which is no port\n']);
    expect(await run("0", join(parent, "none"))).toEqual([
      1,
      `no folder of notes at ${join(parent, "none")}`,
    ]);
    blocker.close();
    await once(blocker, "close");
  });
});
