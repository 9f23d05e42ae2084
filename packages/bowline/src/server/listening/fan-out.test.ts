import { describe, expect, test, vi } from "vitest";
import { send } from "../../../test/calls.ts";
import type { JsonValue } from "../../json/value.ts";
import type { Principal } from "../../protocol/exchange.ts";
import type { ServerNotification } from "../../protocol/notifications.ts";
import { createServer } from "../create-server.ts";
import type { ChangeHub, HubListener } from "./fan-out.ts";
import type { Server } from "../server.ts";

const ANN: Principal = { issuer: "https://issuer.example", clientId: "app", subject: "ann" };
const EVERYTHING = { toolsListChanged: true, resourceSubscriptions: ["a:1", "a:secret"] };

/** A hub within this process, which delivers at once. */
class Hub implements ChangeHub {
  readonly topics: string[] = [];
  readonly published: JsonValue[] = [];
  readonly listeners = new Set<HubListener>();
  failure: Error | undefined;

  async publish(topic: string, message: JsonValue): Promise<void> {
    if (this.failure !== undefined) throw this.failure;
    this.topics.push(topic);
    this.published.push(message);
    for (const listener of this.listeners) listener.onMessage(message);
  }

  async subscribe(_topic: string, listener: HubListener): Promise<{ close(): Promise<void> }> {
    if (this.failure !== undefined) throw this.failure;
    this.listeners.add(listener);
    return {
      close: async () => {
        this.listeners.delete(listener);
      },
    };
  }
}

function createReplica(hub: Hub, faults: unknown[] = []): Server {
  const engine = { kv: { put: () => Promise.resolve(undefined) }, pubsub: hub };
  return createServer(
    { name: "replica", version: "1.0.0" },
    { engine, onError: (error) => faults.push(error) },
  )
    .tool("t", {}, () => "x")
    .resource("a:1", {}, () => "x")
    .resource("a:secret", { visible: (principal) => principal !== undefined }, () => "x");
}

async function listen(server: Server, principal?: Principal, filter: object = EVERYTHING) {
  const received: ServerNotification[] = [];
  const client = new AbortController();
  const result = send(
    server,
    "subscriptions/listen",
    { notifications: JSON.parse(JSON.stringify(filter)) },
    {
      signal: client.signal,
      notify: async (notification) => void received.push(notification),
      ...(principal === undefined ? {} : { principal }),
    },
  );
  result.catch(() => undefined);
  await vi.waitFor(() => expect(received.length).toBe(1));
  const news = () =>
    received.slice(1).map(({ method, params = {} }) => ("uri" in params ? params.uri : method));
  return { client, news, result };
}

describe("changes between replicas", () => {
  test("a change on one replica reaches the listeners of all, and those of its own once", async () => {
    const hub = new Hub();
    const [one, other] = [createReplica(hub), createReplica(hub)];
    const streams = [await listen(one), await listen(other)];
    one.removeTool("t");
    one.resourceUpdated("a:1");
    const both = ["notifications/tools/list_changed", "a:1"];
    await vi.waitFor(() => expect(streams.map(({ news }) => news())).toEqual([both, both]));
    expect(new Set(hub.topics)).toEqual(new Set(["bowline:changes:replica"]));
    await Promise.all([one.close(), other.close()]);
  });

  test("T-51 the replica that tells a listener looks whether it may see the resource", async () => {
    const hub = new Hub();
    const [one, other] = [createReplica(hub), createReplica(hub)];
    const streams = [await listen(other), await listen(other, ANN)];
    one.resourceUpdated("a:secret");
    one.resourceUpdated("a:1");
    await vi.waitFor(() =>
      expect(streams.map(({ news }) => news())).toEqual([["a:1"], ["a:secret", "a:1"]]),
    );
    await Promise.all([one.close(), other.close()]);
  });

  test("what comes back from the hub later is no second change", async () => {
    const hub = new Hub();
    const server = createReplica(hub);
    const stream = await listen(server);
    server.resourceUpdated("a:1");
    await vi.waitFor(() => expect(stream.news()).toEqual(["a:1"]));
    const [echo] = hub.published;
    for (const listener of hub.listeners) listener.onMessage(echo ?? null);
    server.removeTool("t");
    await vi.waitFor(() =>
      expect(stream.news()).toEqual(["a:1", "notifications/tools/list_changed"]),
    );
    await server.close();
  });

  test("T-51 a permission that was withdrawn is looked at for every change and every caller", async () => {
    const seen = new Set<Principal | undefined>([ANN, undefined]);
    const server = createReplica(new Hub()).resource(
      "a:2",
      { visible: (principal) => seen.has(principal) },
      () => "x",
    );
    const filter = { resourceSubscriptions: ["a:2"] };
    const streams = [await listen(server, ANN, filter), await listen(server, undefined, filter)];
    seen.delete(ANN);
    server.resourceUpdated("a:2");
    await vi.waitFor(() => expect(streams[1]?.news()).toEqual(["a:2"]));
    expect(streams[0]?.news()).toEqual([]);
    await server.close();
  });

  test("what is registered before anyone calls is no change", async () => {
    const hub = new Hub();
    const server = createReplica(hub);
    expect(hub.published).toEqual([]);
    await send(server, "server/discover");
    server.tool("u", {}, () => "x");
    await vi.waitFor(() => expect(hub.published.length).toBe(1));
  });

  test("the hub is joined with the first listener and left with the last", async () => {
    const hub = new Hub();
    const server = createReplica(hub);
    const streams = [await listen(server), await listen(server)];
    expect(hub.listeners.size).toBe(1);
    streams[0]?.client.abort();
    await send(server, "server/discover");
    expect(hub.listeners.size).toBe(1);
    await server.close();
    await vi.waitFor(() => expect(hub.listeners.size).toBe(0));
  });

  test("one that comes while the last of the others leaves hears of other replicas", async () => {
    const hub = new Hub();
    const [one, other] = [createReplica(hub), createReplica(hub)];
    const first = await listen(one);
    const coming = listen(one);
    first.client.abort();
    const stream = await coming;
    other.resourceUpdated("a:1");
    await vi.waitFor(() => expect(stream.news()).toEqual(["a:1"]));
    await Promise.all([one.close(), other.close()]);
    expect(hub.listeners.size).toBe(0);
  });

  test("after a gap every listener is told of everything it asked for", async () => {
    const hub = new Hub();
    const server = createReplica(hub);
    const stream = await listen(server);
    for (const listener of hub.listeners) listener.onGap?.();
    await vi.waitFor(() =>
      expect(new Set(stream.news())).toEqual(new Set(["a:1", "notifications/tools/list_changed"])),
    );
    await server.close();
  });

  test.each([
    ["nothing", null],
    ["a text", "x"],
    ["no origin", { uri: "a:1" }],
    ["an unknown list", { origin: "o", list: "x" }],
  ])("a message that is %s is reported and left alone", async (_what, message) => {
    const hub = new Hub();
    const faults: unknown[] = [];
    const server = createReplica(hub, faults);
    const stream = await listen(server);
    await hub.publish("bowline:changes:replica", message);
    expect(faults).toEqual([new TypeError("a message between replicas is not of this version")]);
    expect(stream.news()).toEqual([]);
    await server.close();
  });

  test("a hub that fails is reported, and this process goes on by itself", async () => {
    const hub = new Hub();
    const faults: unknown[] = [];
    const server = createReplica(hub, faults);
    const stream = await listen(server);
    hub.failure = new Error("hub is down");
    server.resourceUpdated("a:1");
    await vi.waitFor(() => expect(stream.news()).toEqual(["a:1"]));
    await vi.waitFor(() => expect(faults).toEqual([hub.failure]));
    await server.close();
  });

  test("nobody is let in who could not be told of everything", async () => {
    const hub = new Hub();
    const faults: unknown[] = [];
    const server = createReplica(hub, faults);
    hub.failure = new Error("hub is down");
    const refused = send(server, "subscriptions/listen", { notifications: EVERYTHING });
    await expect(refused).rejects.toMatchObject({ rpcCode: -32603 });
    hub.failure = undefined;
    const stream = await listen(server);
    server.resourceUpdated("a:1");
    await vi.waitFor(() => expect(stream.news()).toEqual(["a:1"]));
    await server.close();
  });
});
