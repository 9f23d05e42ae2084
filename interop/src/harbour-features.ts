import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert";
import type { Feature } from "./matrix.ts";
import type { Harbour } from "./published-servers.ts";

const SHIPS = "harbour://ships";

/** What the client does with harbour offices. */
export const HARBOUR_FEATURES: readonly Feature<Harbour>[] = [
  {
    name: "discover",
    run: async ({ client }) => {
      const { supportedVersions, capabilities } = await client.discover();
      ok(supportedVersions.includes("2026-07-28"), supportedVersions.join());
      ok(capabilities.tools !== undefined, "it says that it has tools");
    },
  },
  {
    name: "list tools",
    run: async ({ client }) => {
      const names = (await client.listTools()).map(({ name }) => name);
      deepStrictEqual(names.toSorted(), ["add", "change", "count", "fail", "sink"]);
    },
  },
  {
    name: "call",
    run: async ({ client }) => {
      const { structuredContent, content } = await client.callTool("add", { a: 2, b: 3 });
      deepStrictEqual([structuredContent, content], [{ sum: 5 }, [{ type: "text", text: "5" }]]);
    },
  },
  {
    name: "failure",
    run: async ({ client }) => {
      const { isError, content } = await client.callTool("fail", {});
      deepStrictEqual([isError, content], [true, [{ type: "text", text: "the crane is broken" }]]);
    },
  },
  {
    name: "unknown tool",
    offered: ({ server }) => server.refusesUnknownTools,
    run: async ({ client }) => {
      await rejects(client.callTool("nothing", {}), { name: "RpcError", rpcCode: -32602 });
    },
  },
  {
    name: "progress",
    run: async ({ client }) => {
      const seen: number[] = [];
      await client.callTool(
        "count",
        { to: 3 },
        { onProgress: ({ progress }) => seen.push(progress) },
      );
      deepStrictEqual(seen, [1, 2, 3]);
    },
  },
  {
    name: "answer",
    run: async ({ client }) => {
      const { content } = await client.callTool("sink", { ship: "argo" });
      deepStrictEqual(content, [{ type: "text", text: "argo is gone" }]);
    },
  },
  {
    name: "listen",
    run: async ({ client }) => {
      await using changes = await client.listen({ toolsListChanged: true });
      const next = changes.next();
      await client.callTool("change", {});
      deepStrictEqual(await next, { done: false, value: { kind: "toolsListChanged" } });
    },
  },
  {
    name: "list resources",
    run: async ({ client }) => {
      const uris = (await client.listResources()).map(({ uri }) => uri);
      deepStrictEqual(uris, [SHIPS]);
    },
  },
  {
    name: "list templates",
    run: async ({ client }) => {
      const templates = await client.listResourceTemplates();
      deepStrictEqual(
        templates.map(({ uriTemplate }) => uriTemplate),
        [`${SHIPS}/{name}`],
      );
    },
  },
  {
    name: "read",
    run: async ({ client }) => {
      strictEqual(textOf(await client.readResource(SHIPS)), "amber\nargo\nbrig");
      strictEqual(textOf(await client.readResource(`${SHIPS}/argo`)), "the ship argo");
    },
  },
  {
    name: "prompt",
    run: async ({ client }) => {
      const [prompt] = await client.listPrompts();
      strictEqual(prompt?.name, "greet");
      const { messages } = await client.getPrompt("greet", { ship: "argo" });
      deepStrictEqual(messages[0]?.content, { type: "text", text: "Greet the argo." });
    },
  },
  {
    name: "complete",
    run: async ({ client }) => {
      const ref = { type: "ref/prompt", name: "greet" } as const;
      const { values } = await client.complete({ ref, argument: { name: "ship", value: "a" } });
      deepStrictEqual(values, ["amber", "argo"]);
    },
  },
];

const textOf = ({ contents }: { readonly contents: readonly object[] }): unknown =>
  contents[0] !== undefined && "text" in contents[0] ? contents[0].text : undefined;
