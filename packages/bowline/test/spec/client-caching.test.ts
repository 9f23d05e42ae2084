/** The cache of a client in front of a real server over HTTP, and what its lists make of it. */
import { describe, expect, test } from "vitest";
import { RpcError } from "../../src/base/errors.ts";
import { connect, createClient, createServer } from "../../src/index.ts";
import { listen } from "../../src/node/index.ts";
import type { Exchange } from "../../src/protocol/exchange.ts";

const HINTS = { ttlMs: 60_000, cacheScope: "public" } as const;

/** A server whose lists and reads may be kept, and the methods that reached it. */
function createAtlas() {
  const asked: string[] = [];
  const server = createServer(
    { name: "atlas", version: "1.0.0" },
    { pageSize: 2, cacheHints: { tools: HINTS, discover: HINTS } },
  )
    .use((call, context, next) => {
      asked.push(call.method);
      return next(call, context);
    })
    .tool("a", {}, () => "a")
    .tool("b", {}, () => "b")
    .tool("c", {}, () => "c")
    .resource("config://atlas", { cacheHints: HINTS }, () => "text");
  return { server, asked };
}

describe("over HTTP", () => {
  test("CACHE-08 a list of two pages, a resource and discovery are fetched once while they are fresh", async () => {
    const { server, asked } = createAtlas();
    let time = 1_000;
    await using running = await listen(server);
    await using client = await connect(running.url, { cache: { now: () => time } });
    const use = async (): Promise<readonly unknown[]> => [
      await client.listTools(),
      await client.readResource("config://atlas"),
      await client.discover(),
    ];
    const first = await use();
    expect(await use()).toEqual(first);
    const all = ["tools/list", "tools/list", "resources/read", "server/discover"];
    expect(asked).toEqual(all);
    time += HINTS.ttlMs;
    await use();
    expect(asked).toEqual([...all, ...all]);
  });

  test("many at once make one request for each page", async () => {
    const { server, asked } = createAtlas();
    await using running = await listen(server);
    await using client = await connect(running.url);
    const lists = await Promise.all(Array.from({ length: 50 }, () => client.listTools()));
    expect(new Set(lists.map((tools) => tools.length))).toEqual(new Set([3]));
    expect(asked).toEqual(["tools/list", "tools/list"]);
  });

  test("cache: false asks every time; a closed client answers nothing from its cache", async () => {
    const { server, asked } = createAtlas();
    await using running = await listen(server);
    await using forgetful = await connect(running.url, { cache: false });
    await forgetful.discover();
    await forgetful.discover();
    expect(asked).toHaveLength(2);
    const client = await connect(running.url);
    await client.discover();
    await client.close();
    await expect(client.discover()).rejects.toMatchObject({ code: "ERR_MCP_TRANSPORT_CLOSED" });
    expect(asked).toHaveLength(3);
  });
});

describe("a list whose cursor is refused", () => {
  /** Gives two pages; refuses the cursor of the first list after `refusals` answers to it. */
  const changing = (firstItems: number, refusals: number) => {
    const cursors: unknown[] = [];
    let left = refusals;
    const exchange: Exchange = async ({ params: { cursor } }) => {
      cursors.push(cursor);
      if (cursor !== undefined && left > 0) {
        left -= 1;
        throw new RpcError(-32602, "no such cursor", { origin: "peer" });
      }
      const name = `${cursor === undefined ? "first" : "next"}${left}`;
      const prompts = cursor === undefined && firstItems === 0 ? [] : [{ name }];
      return {
        resultType: "complete",
        prompts,
        ...(cursor === undefined ? { nextCursor: "x" } : {}),
        ...HINTS,
      };
    };
    return { client: createClient(exchange), cursors };
  };

  test("CACHE-33 is gathered from the beginning, once", async () => {
    const { client, cursors } = changing(1, 1);
    expect(await client.listPrompts()).toEqual([{ name: "first0" }, { name: "next0" }]);
    expect(cursors).toEqual([undefined, "x", undefined, "x"]);
  });

  test("fails where it is refused again, or where nothing came before it", async () => {
    const stubborn = changing(1, 9);
    await expect(stubborn.client.listPrompts()).rejects.toMatchObject({ rpcCode: -32602 });
    expect(stubborn.cursors).toHaveLength(4);
    const empty = changing(0, 9);
    await expect(empty.client.listPrompts()).rejects.toMatchObject({ rpcCode: -32602 });
    expect(empty.cursors).toHaveLength(2);
  });

  test("fails an iteration, which has given items already, and not the next one", async () => {
    const { client } = changing(1, 1);
    const seen: string[] = [];
    const iterate = async (): Promise<void> => {
      for await (const { name } of client.prompts()) seen.push(name);
    };
    await expect(iterate()).rejects.toMatchObject({ rpcCode: -32602 });
    await iterate();
    expect(seen).toEqual(["first1", "first0", "next0"]);
  });
});
