import { PassThrough } from "node:stream";
import { onTestFinished, describe, expect, test } from "vitest";
import { createClient } from "../src/client/create-client.ts";
import type { JsonObject } from "../src/json/value.ts";
import type { ExchangeSource } from "../src/protocol/exchange.ts";
import { createServer } from "../src/server/create-server.ts";
import { connectStdio } from "../src/stdio/connect.ts";
import { serveStdio } from "../src/stdio/serve.ts";
import { cancelled, META, request, serveInMemory } from "./stdio.ts";

const SUBSCRIPTION_ID = "io.modelcontextprotocol/subscriptionId";
const info = { name: "whole", version: "1.0.0" };
const INFO_META = { "io.modelcontextprotocol/serverInfo": info };

/** A server and a client with a pipe in each direction between them. */
function connectThroughPipes(server: ExchangeSource) {
  const toServer = new PassThrough();
  const toClient = new PassThrough();
  const serving = serveStdio(server, { input: toServer, output: toClient });
  const connection = connectStdio({ input: toClient, output: toServer });
  const client = createClient(connection, { onClose: () => connection.close() });
  onTestFinished(async () => {
    await client.close();
    await serving.closed;
  });
  return { client, serving };
}

const notification = (method: string, id: unknown, params: JsonObject = {}) => ({
  jsonrpc: "2.0",
  method,
  params: { ...params, _meta: { [SUBSCRIPTION_ID]: id } },
});

describe("a server and its subscribers over stdio", () => {
  test("SUB-02 SUB-08 SUB-09 META-21 each subscription gets its acknowledgement and then what it asked for", async () => {
    const server = createServer(info)
      .tool("first", {}, () => "")
      .resource("note://a", {}, () => "");
    const { written, send } = serveInMemory(server);
    send(
      request("tools", "subscriptions/listen", { notifications: { toolsListChanged: true } }),
      request(2, "subscriptions/listen", {
        notifications: { resourceSubscriptions: ["note://a"] },
      }),
    );
    expect(await written.first(2)).toEqual([
      notification("notifications/subscriptions/acknowledged", "tools", {
        notifications: { toolsListChanged: true },
      }),
      notification("notifications/subscriptions/acknowledged", 2, {
        notifications: { resourceSubscriptions: ["note://a"] },
      }),
    ]);
    server.tool("second", {}, () => "");
    server.resourceUpdated("note://a");
    server.resourceUpdated("note://b");
    server.resource("note://c", {}, () => "");
    const messages = (await written.first(4)).slice(2);
    expect(messages).toEqual(
      expect.arrayContaining([
        notification("notifications/tools/list_changed", "tools"),
        notification("notifications/resources/updated", 2, { uri: "note://a" }),
      ]),
    );
    send(cancelled({ requestId: "tools" }), request(3, "tools/list"));
    expect((await written.first(5))[4]).toMatchObject({ id: 3 });
    server.tool("third", {}, () => "");
    server.resourceUpdated("note://a");
    expect((await written.first(6))[5]).toEqual(
      notification("notifications/resources/updated", 2, { uri: "note://a" }),
    );
  });

  test("CANC-02 SUB-18 SUB-19 a server that closes answers its subscriptions and cancels them", async () => {
    const server = createServer(info).tool("first", {}, () => "");
    const { written, send } = serveInMemory(server);
    send(request(1, "subscriptions/listen", { notifications: { toolsListChanged: true } }));
    await written.first(1);
    await server.close();
    expect((await written.first(3)).slice(1)).toEqual([
      {
        jsonrpc: "2.0",
        id: 1,
        result: {
          resultType: "complete",
          _meta: expect.objectContaining({ [SUBSCRIPTION_ID]: 1 }) as JsonObject,
        },
      },
      cancelled({ requestId: 1 }),
    ]);
  });
});

describe("a server and a client over stdio", () => {
  test("lists, calls, follows progress and cancels", async () => {
    const aborted: unknown[] = [];
    const server = createServer(info)
      .tool("count", {}, async (_none, { progress }) => {
        await progress(1, 2, "half");
        await progress(2, 2, "all");
        return "counted";
      })
      .tool("wait", {}, (_none, { signal, progress }) => {
        const left = new Promise<string>((resolve) => {
          signal.addEventListener("abort", () => {
            aborted.push((signal.reason as Error).message);
            resolve("");
          });
        });
        return progress(1).then(() => left);
      });
    const { client } = connectThroughPipes(server);
    expect((await client.discover()).supportedVersions).toEqual(["2026-07-28"]);
    expect((await client.listTools()).map(({ name }) => name)).toEqual(["count", "wait"]);

    const seen: unknown[] = [];
    const counted = await client.callTool("count", {}, { onProgress: (each) => seen.push(each) });
    expect(counted.content).toEqual([{ type: "text", text: "counted" }]);
    expect(seen).toEqual([
      { progressToken: 3, progress: 1, total: 2, message: "half" },
      { progressToken: 3, progress: 2, total: 2, message: "all" },
    ]);

    const controller = new AbortController();
    const reason = new Error("changed my mind");
    const waiting = client.callTool(
      "wait",
      {},
      { signal: controller.signal, onProgress: () => controller.abort(reason) },
    );
    await expect(waiting).rejects.toBe(reason);
    await client.callTool("count");
    expect(aborted).toEqual(["cancelled by the client: changed my mind"]);
  });

  test("RPC-12 results carry their type, and errors their code", async () => {
    const { written, send } = serveInMemory(createServer(info).tool("a", {}, () => "b"));
    send(
      request(1, "tools/call", { name: "a" }),
      request(2, "tools/call", { name: "__proto__" }),
      request(3, "no/such"),
      {
        jsonrpc: "2.0",
        id: 4,
        method: "tools/list",
        params: { _meta: { ...META, progressToken: 1.5 } },
      },
    );
    const messages = await written.first(4);
    const byId = messages.toSorted((a, b) => Number(a["id"]) - Number(b["id"]));
    expect(byId).toEqual([
      {
        jsonrpc: "2.0",
        id: 1,
        result: {
          resultType: "complete",
          content: [{ type: "text", text: "b" }],
          _meta: INFO_META,
        },
      },
      {
        jsonrpc: "2.0",
        id: 2,
        error: expect.objectContaining({ code: -32602 }) as JsonObject,
      },
      { jsonrpc: "2.0", id: 3, error: expect.objectContaining({ code: -32601 }) as JsonObject },
      { jsonrpc: "2.0", id: 4, error: expect.objectContaining({ code: -32602 }) as JsonObject },
    ]);
  });
});
