import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createClient } from "bowline";
import { serveStdio } from "bowline/stdio";
import { describe, expect, onTestFinished, test } from "vitest";
import { rehearse } from "bowline/testing";
import * as asking from "../dist/guide/asking.js";
import * as extension from "../dist/guide/extension.js";
import { testForecast } from "../dist/guide/rehearsal.js";
import * as calls from "../dist/guide/calls.js";
import * as prompts from "../dist/guide/prompts.js";
import * as resources from "../dist/guide/resources.js";
import * as stdio from "../dist/guide/stdio-client.js";
import * as tools from "../dist/guide/tools.js";

type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
interface JsonObject {
  readonly [name: string]: JsonValue;
}

describe("the code in the documents", () => {
  test("tools answer, refuse and are called with types", async () => {
    await using client = createClient(tools.server);
    expect(await tools.warmest()).toBe(18);
    const unknown = await client.callTool("forecast", { city: "Rome" });
    expect([unknown.isError, unknown.content]).toEqual([
      true,
      [{ type: "text", text: "there is no station in Rome" }],
    ]);
    await using large = createClient(tools.large);
    const degrees = await large.callTool("to_fahrenheit", { celsius: 10 });
    expect(degrees.content).toEqual([{ type: "text", text: "50 °F" }]);
  });

  test("resources are read, templates match and complete", async () => {
    await using client = createClient(resources.server);
    resources.changeTheme("light");
    const config = await client.readResource("config://atlas");
    expect(config.contents).toEqual([
      { uri: "config://atlas", mimeType: "application/json", text: '{"theme":"light"}' },
    ]);
    expect([config.ttlMs, config.cacheScope]).toEqual([60_000, "public"]);
    const city = await client.readResource("city://pe/Cusco");
    expect(city.contents).toEqual([
      { uri: "city://pe/Cusco", mimeType: "text/plain", text: "Cusco is a city in pe." },
    ]);
    expect(await resources.suggestCities("no", "B")).toEqual(["Bergen"]);
  });

  test("prompts are filled and complete", async () => {
    await using client = createClient(prompts.server);
    const { messages } = await client.getPrompt("review", { code: "1;", language: "Zig" });
    expect(messages).toEqual([
      { role: "user", content: { type: "text", text: "Review this Zig code:\n\n1;" } },
    ]);
    expect(await prompts.suggestLanguages("T")).toEqual(["TypeScript"]);
  });

  test("a program is started, called and ended", async () => {
    const clock = fileURLToPath(new URL("../dist/quickstart/stdio.js", import.meta.url));
    expect(await stdio.askClock(clock)).toEqual({
      content: [{ type: "text", text: expect.stringMatching(/^\d{4}-.*Z$/) }],
      said: "",
    });
    expect(await stdio.namesOf(clock)).toEqual({ tools: ["now"], said: "" });
  });

  test("a server behind a socket is called", async () => {
    const folder = mkdtempSync(join(tmpdir(), "bowline-socket-"));
    const path = join(folder, "socket");
    const listener = createServer((socket) => {
      serveStdio(tools.server, { input: socket, output: socket });
    });
    onTestFinished(() => {
      listener.close();
      rmSync(folder, { recursive: true });
    });
    listener.listen(path);
    await once(listener, "listening");
    expect(await stdio.namesAt(path)).toContain("forecast");
  });

  test("calls report progress and logs, pass the middleware and fail with a code", async () => {
    const signal = new AbortController().signal;
    expect((await calls.copyAll(["a", "b"], signal)).at(-1)).toBe(2);
    await using client = createClient(calls.server);
    const logged: unknown[] = [];
    await client.callTool("probe", {}, { onLog: (message) => logged.push(message) });
    expect(logged).toEqual([{ level: "warning", logger: "disk", data: "the disk is nearly full" }]);
    expect(calls.observed).toContain("tools/call");
    expect(await calls.readOrNothing("nowhere://")).toBeUndefined();
  });

  test("handlers ask, batch, keep steps and tidy up", async () => {
    expect(await testForecast()).toEqual(['[{"type":"text","text":"Oslo: 21 °F"}]', "1 round"]);
    const rehearsed = async (name: string, args: object, ...answers: readonly JsonValue[]) => {
      const params = { name, arguments: JSON.parse(JSON.stringify(args)) };
      const given = [...answers];
      const { result, rounds, problems } = await rehearse(asking.server, "tools/call", params, {
        answer: () => given.shift(),
      });
      expect(problems).toEqual([]);
      return [result["content"], rounds.length];
    };
    const text = (value: string) => [{ type: "text", text: value }];
    const accept = (content: JsonObject = {}) => ({ action: "accept", content });
    expect(
      await rehearsed(
        "reserve",
        {},
        accept({ name: "Ann", mail: "ann@example.com" }),
        accept({ beds: 2 }),
      ),
    ).toEqual([text("2 beds for Ann"), 1]);
    expect(await rehearsed("buy_ticket", { to: "Oslo" }, accept())).toEqual([
      text("Ticket Oslo-120-1"),
      1,
    ]);
    expect(await rehearsed("compare", {}, { action: "decline" })).toEqual([text("fine"), 1]);
    expect(await rehearsed("connect_bank", {}, accept(), { action: "cancel" })).toEqual([
      text("Nothing was connected."),
      2,
    ]);
    expect(await rehearsed("vote", {}, accept({ city: "Rome" }))).toEqual([
      text('{"action":"accept","content":{"city":"Rome"}} after {"opened":"today"}'),
      1,
    ]);
  });

  test("what is paid once is not paid twice", async () => {
    const pay = async (more: JsonObject = {}) =>
      asking.replicated.exchange(
        {
          method: "tools/call",
          params: { name: "pay_once", ...more },
          meta: {
            protocolVersion: "2026-07-28",
            clientCapabilities: { elicitation: {} },
            raw: {},
          },
        },
        { id: 1, signal: new AbortController().signal, notify: () => Promise.resolve() },
      );
    const { requestState } = await pay();
    const answers = {
      requestState: String(requestState),
      inputResponses: { "elicit-1": { action: "accept" } },
    };
    expect((await pay(answers))["content"]).toEqual([{ type: "text", text: "paid" }]);
    await expect(pay(answers)).rejects.toThrow("Invalid or expired requestState");
  });

  test("an extension is there for clients that declare it", async () => {
    const call = (clientCapabilities: JsonObject) =>
      extension.server.exchange(
        {
          method: "tools/call",
          params: { name: "sell" },
          meta: { protocolVersion: "2026-07-28", clientCapabilities, raw: {} },
        },
        { id: 1, signal: new AbortController().signal, notify: () => Promise.resolve() },
      );
    await call({});
    await call({ extensions: { "com.example/receipts": {} } });
    const meta = {
      protocolVersion: "2026-07-28",
      clientCapabilities: { extensions: { "com.example/receipts": {} } },
      raw: {},
    };
    const listed = await extension.server.exchange(
      { method: "receipts/list", params: {}, meta },
      { id: 2, signal: new AbortController().signal, notify: () => Promise.resolve() },
    );
    expect(listed).toMatchObject({ receipts: ["one apple"] });
  });
});
