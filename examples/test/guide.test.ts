import { fileURLToPath } from "node:url";
import { createClient } from "bowline";
import { describe, expect, test } from "vitest";
import * as calls from "../dist/guide/calls.js";
import * as prompts from "../dist/guide/prompts.js";
import * as resources from "../dist/guide/resources.js";
import * as stdio from "../dist/guide/stdio-client.js";
import * as tools from "../dist/guide/tools.js";

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
});
