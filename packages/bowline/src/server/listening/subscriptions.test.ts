import { describe, expect, test, vi } from "vitest";
import {
  createContext,
  createInbox,
  createMeta,
  refusal,
  send,
  type CallSettings,
} from "../../../test/calls.ts";
import { EncodedNotification } from "../../protocol/answer/encoded-notification.ts";
import type { CallContext } from "../../protocol/exchange.ts";
import type { ServerNotification } from "../../protocol/notifications.ts";
import { createServer } from "../create-server.ts";

const INFO = { name: "test", version: "1.0.0" };
const ID = "io.modelcontextprotocol/subscriptionId";
const EVERYTHING = {
  toolsListChanged: true,
  promptsListChanged: true,
  resourcesListChanged: true,
  resourceSubscriptions: ["a:1", "a:2"],
};

const create = (faults: unknown[] = []) =>
  createServer(INFO, { onError: (error) => faults.push(error) })
    .tool("t", {}, () => "x")
    .prompt("p", {}, () => "x")
    .resource("a:1", {}, () => "x")
    .resourceTemplate("b:{c}", {}, () => "x");

/** With what matches templates loaded: a subscription to what may be a template's then starts at once. */
const createLoaded = async () => {
  const server = create();
  await send(server, "resources/read", { uri: "b:1" });
  return server;
};

/** Opens a subscription; `next` waits for the notification after those already seen. */
function listen(
  server: ReturnType<typeof createServer>,
  filter: object,
  settings: CallSettings = {},
) {
  const controller = new AbortController();
  const received: ServerNotification[] = [];
  let seen = 0;
  let arrived = (): void => undefined;
  const notify: CallContext["notify"] = (notification) => {
    received.push(notification);
    arrived();
    return Promise.resolve();
  };
  const params = { notifications: filter as {} };
  const all = { signal: controller.signal, notify, ...settings };
  const result = send(server, "subscriptions/listen", params, all);
  result.catch(() => undefined);
  const next = async (): Promise<unknown> => {
    while (received.length <= seen) {
      await new Promise<void>((resolve) => {
        arrived = resolve;
      });
    }
    return received[seen++];
  };
  return { controller, received, result, next };
}

const acknowledged = (id: string | number, notifications: object) => ({
  method: "notifications/subscriptions/acknowledged",
  params: { _meta: { [ID]: id }, notifications },
});
const changed = (what: string, id: string | number = 1) => ({
  method: `notifications/${what}/list_changed`,
  params: { _meta: { [ID]: id } },
});
const updated = (uri: string, id: string | number = 1) => ({
  method: "notifications/resources/updated",
  params: { _meta: { [ID]: id }, uri },
});

describe("acknowledgement", () => {
  test.each(["listen-1", 0, 7])(
    "SUB-08 SUB-11 SUB-13 META-21 BR-116 is the first message and tells what is honoured (id %j)",
    async (id) => {
      const stream = listen(create(), EVERYTHING, { id });
      expect(await stream.next()).toEqual(
        acknowledged(id, {
          toolsListChanged: true,
          promptsListChanged: true,
          resourcesListChanged: true,
          resourceSubscriptions: ["a:1"],
        }),
      );
      stream.controller.abort();
    },
  );

  test("SUB-09 a change while the acknowledgement is on its way is told after it", async () => {
    const server = await createLoaded();
    let take = (): void => undefined;
    const taken = new Promise<void>((resolve) => {
      take = resolve;
    });
    const received: ServerNotification[] = [];
    let arrive = (): void => undefined;
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const stream = listen(server, EVERYTHING, {
      notify: (notification) => {
        received.push(notification);
        arrive();
        return received.length === 1 ? taken : Promise.resolve();
      },
    });
    await arrived;
    server.removeTool("t");
    server.resourceUpdated("a:1");
    await send(server, "server/discover");
    expect(received.map(({ method }) => method)).toEqual([
      "notifications/subscriptions/acknowledged",
    ]);
    take();
    for (let turn = 0; turn < 3; turn++) await send(server, "server/discover");
    expect(received.slice(1)).toEqual([changed("tools"), updated("a:1")]);
    await server.close();
    await stream.result;
  });

  test.each([
    [{ toolsListChanged: true }, {}],
    [{ toolsListChanged: false, promptsListChanged: true }, { promptsListChanged: true }],
    [{ resourceSubscriptions: ["x:y"] }, {}],
    [{ resourcesListChanged: true, somethingNew: true }, {}],
  ])("SUB-11 SUB-24 leaves out what the server does not have: %j", async (filter, honoured) => {
    const server = createServer(INFO).prompt("p", {}, () => "x");
    const stream = listen(server, filter);
    expect(await stream.next()).toEqual(acknowledged(1, honoured));
    stream.controller.abort();
  });

  test("T-51 a resource the caller may not see is left out like an unknown one, and never told of", async () => {
    const server = create().resource("secret:a", { scopes: ["x"] }, () => "x");
    const filter = { resourceSubscriptions: ["secret:a", "unknown:a", "a:1"] };
    const stream = listen(server, filter);
    expect(await stream.next()).toEqual(acknowledged(1, { resourceSubscriptions: ["a:1"] }));
    server.resourceUpdated("secret:a");
    server.resourceUpdated("unknown:a");
    server.resourceUpdated("a:1");
    expect(await stream.next()).toEqual(updated("a:1"));

    const principal = { issuer: "i", clientId: "c", subject: "s", scopes: ["x"] };
    const allowed = listen(server, filter, { principal });
    expect(await allowed.next()).toEqual(
      acknowledged(1, { resourceSubscriptions: ["secret:a", "a:1"] }),
    );
    stream.controller.abort();
    allowed.controller.abort();
  });

  test("BR-115 with nothing to tell it ends at once", async () => {
    const inbox = createInbox();
    for (const filter of [{}, { toolsListChanged: true }]) {
      const server = createServer(INFO);
      const result = await send(
        server,
        "subscriptions/listen",
        { notifications: filter },
        { notify: inbox.notify },
      );
      expect(result).toEqual({
        resultType: "complete",
        _meta: { [ID]: 1, "io.modelcontextprotocol/serverInfo": INFO },
      });
    }
    expect(inbox.received).toEqual([acknowledged(1, {}), acknowledged(1, {})]);
  });
});

describe("what may be a template's", () => {
  test("SUB-11 is found by the first subscription, too", async () => {
    const stream = listen(create(), { resourceSubscriptions: ["b:1", "c:1"] });
    expect(await stream.next()).toEqual(acknowledged(1, { resourceSubscriptions: ["b:1"] }));
    stream.controller.abort();
  });

  test("a change is told where a template takes the place of a resource", async () => {
    const server = create().resource("b:1", {}, () => "x");
    const stream = listen(server, { resourceSubscriptions: ["b:1"] });
    await stream.next();
    server.removeResource("b:1");
    server.resourceUpdated("b:1");
    expect(await stream.next()).toEqual(updated("b:1"));
    stream.controller.abort();
  });

  test("SUB-17 a server that closes meanwhile starts no subscription", async () => {
    const server = create();
    const stream = listen(server, { resourceSubscriptions: ["b:1"] });
    await server.close();
    await expect(stream.result).rejects.toMatchObject({ message: "the server is closing" });
    expect(stream.received).toEqual([]);
  });
});

describe("changes", () => {
  test("TOOLS-16 RSRC-14 PROMPT-10 SUB-13 every list tells when it changes", async () => {
    const server = create();
    const stream = listen(server, EVERYTHING, { id: "s" });
    await stream.next();
    server.tool("u", {}, () => "x");
    expect(await stream.next()).toEqual(changed("tools", "s"));
    server.removeTool("u");
    expect(await stream.next()).toEqual(changed("tools", "s"));
    server.prompt("q", {}, () => "x");
    expect(await stream.next()).toEqual(changed("prompts", "s"));
    server.resource("a:9", {}, () => "x");
    expect(await stream.next()).toEqual(changed("resources", "s"));
    server.removeResourceTemplate("b:{c}");
    expect(await stream.next()).toEqual(changed("resources", "s"));
    stream.controller.abort();
  });

  test("SUB-02 only what was asked for is told", async () => {
    const server = create();
    const stream = listen(server, { promptsListChanged: true, resourceSubscriptions: ["b:1"] });
    await stream.next();
    server.removeTool("t");
    server.removeResource("a:1");
    server.resourceUpdated("b:2");
    server.resourceUpdated("b:1");
    expect(await stream.next()).toEqual(updated("b:1"));
    server.removePrompt("p");
    expect(await stream.next()).toEqual(changed("prompts"));
    stream.controller.abort();
  });

  test("RSRC-03 RSRC-15 BR-116 each subscription has its own id and its own resources", async () => {
    const server = create().resource("a:2", {}, () => "x");
    const one = listen(server, { resourceSubscriptions: ["a:1"] }, { id: "one" });
    const other = listen(server, { resourceSubscriptions: ["a:1", "a:2"] }, { id: 2 });
    await one.next();
    await other.next();
    server.resourceUpdated("a:2");
    expect(await other.next()).toEqual(updated("a:2", 2));
    server.resourceUpdated("a:1");
    expect(await one.next()).toEqual(updated("a:1", "one"));
    expect(await other.next()).toEqual(updated("a:1", 2));
    one.controller.abort();
    other.controller.abort();
  });

  test("changes made together are told together", async () => {
    const server = create();
    const stream = listen(server, EVERYTHING);
    await stream.next();
    for (const name of ["a", "b", "c"]) server.tool(name, {}, () => "x");
    server.resourceUpdated("a:1");
    server.resourceUpdated("a:1");
    await stream.next();
    expect(await stream.next()).toEqual(updated("a:1"));
    expect(stream.received).toHaveLength(3);
    stream.controller.abort();
  });

  test("T-50 a client that reads slowly gets each kind of news once, however often it came", async () => {
    const server = await createLoaded();
    const received: ServerNotification[] = [];
    const takers: (() => void)[] = [];
    const stream = listen(server, EVERYTHING, {
      notify: (notification) => {
        received.push(notification);
        return new Promise((resolve) => takers.push(resolve));
      },
    });
    const takeOne = async () => {
      await vi.waitFor(() => expect(takers.length > 0 || received.length === 3).toBe(true));
      takers.shift()?.();
      await send(server, "server/discover");
      await send(server, "server/discover");
    };
    await takeOne();
    for (let run = 0; run < 1_000; run++) {
      server.tool("u", {}, () => "x").removeTool("u");
      server.resourceUpdated("a:1");
    }
    await takeOne();
    for (let run = 0; run < 10; run++) await takeOne();
    expect(received).toEqual([
      expect.objectContaining({ method: "notifications/subscriptions/acknowledged" }),
      changed("tools"),
      updated("a:1"),
    ]);
    stream.controller.abort();
  });

  test("T-11 a stream that cannot be written to is reported, others go on", async () => {
    const faults: unknown[] = [];
    const server = create(faults);
    let calls = 0;
    const broken = listen(server, EVERYTHING, {
      notify: () => (++calls === 1 ? Promise.resolve() : Promise.reject(new Error("closed"))),
    });
    const working = listen(server, EVERYTHING);
    await working.next();
    server.removeTool("t");
    expect(await working.next()).toEqual(changed("tools"));
    await send(server, "server/discover");
    expect(faults).toEqual([new Error("closed")]);
    broken.controller.abort();
    working.controller.abort();
  });
});

describe("the end", () => {
  test("SUB-18 SUB-19 a closing server ends every subscription with its result", async () => {
    const server = create();
    const streams = ["a", 2].map((id) => listen(server, EVERYTHING, { id }));
    await Promise.all(streams.map((stream) => stream.next()));
    await server.close();
    expect(await Promise.all(streams.map((stream) => stream.result))).toEqual(
      ["a", 2].map((id) => ({
        resultType: "complete",
        _meta: { [ID]: id, "io.modelcontextprotocol/serverInfo": INFO },
      })),
    );
    for (const stream of streams) expect(stream.received).toHaveLength(1);
  });

  test("CANC-15 CANC-18 SUB-23 a client that leaves is told nothing more", async () => {
    const faults: unknown[] = [];
    const server = create(faults);
    const stream = listen(server, EVERYTHING);
    await stream.next();
    stream.controller.abort(new Error("left"));
    await expect(stream.result).rejects.toEqual(new Error("left"));
    server.removeTool("t");
    server.resourceUpdated("a:1");
    await server.close();
    expect(stream.received).toHaveLength(1);
    expect(faults).toEqual([]);
  });

  test("CANC-18 a client that left before it was answered is not acknowledged", async () => {
    const inbox = createInbox();
    const signal = AbortSignal.abort(new Error("left"));
    const params = { notifications: EVERYTHING };
    const call = send(create(), "subscriptions/listen", params, { signal, notify: inbox.notify });
    await expect(call).rejects.toEqual(new Error("left"));
    expect(inbox.received).toEqual([]);
  });

  test("CANC-03 CANC-14 PAT-02 a server sends no cancellation and no request of its own", async () => {
    const server = create();
    const stream = listen(server, EVERYTHING);
    await stream.next();
    await server.close();
    await stream.result;
    for (const notification of stream.received) {
      expect(notification).not.toHaveProperty("id");
      expect(notification.method).not.toBe("notifications/cancelled");
    }
  });
});

describe("many", () => {
  test("more than 1,000 are told in turns of the loop, the last as well", async () => {
    const server = createServer(INFO, { maxListenStreams: 2_500 }).tool("t", {}, () => "x");
    const streams = Array.from({ length: 2_500 }, (_, id) =>
      listen(server, { toolsListChanged: true }, { id }),
    );
    await Promise.all(streams.map((stream) => stream.next()));
    server.removeTool("t");
    await send(server, "server/discover");
    expect(streams.filter(({ received }) => received.length === 2)).toHaveLength(1_000);
    expect(await Promise.all(streams.map((stream) => stream.next()))).toEqual(
      streams.map((_, id) => changed("tools", id)),
    );
    await server.close();
  });

  test("only those that watch a resource are told of it, each once", async () => {
    const server = create();
    const streams = [
      listen(server, { resourceSubscriptions: ["a:1", "a:1"] }, { id: 0 }),
      listen(server, { resourceSubscriptions: ["b:1"] }, { id: 1 }),
      listen(server, { resourceSubscriptions: ["b:1", "a:1"] }, { id: 2 }),
    ];
    for (const stream of streams) await stream.next();
    const news = () => streams.map(({ received }) => received.slice(1));
    server.resourceUpdated("a:1");
    await vi.waitFor(() => expect(news()).toEqual([[updated("a:1", 0)], [], [updated("a:1", 2)]]));
    streams[2]?.controller.abort();
    server.resourceUpdated("b:1");
    await vi.waitFor(() =>
      expect(news()).toEqual([[updated("a:1", 0)], [updated("b:1", 1)], [updated("a:1", 2)]]),
    );
    await server.close();
  });

  test("one that the server ends leaves nothing behind on the signal of its call", async () => {
    const server = create();
    const controller = new AbortController();
    const remove = vi.spyOn(controller.signal, "removeEventListener");
    const stream = listen(server, EVERYTHING, { signal: controller.signal });
    await stream.next();
    await server.close();
    await stream.result;
    expect(remove).toHaveBeenCalledTimes(1);
  });

  test("what is told is the JSON text that is sent", async () => {
    const server = create();
    const stream = listen(server, EVERYTHING, { id: 'an "id"' });
    await stream.next();
    server.removeTool("t");
    server.resourceUpdated("a:1");
    for (const expected of [changed("tools", 'an "id"'), updated("a:1", 'an "id"')]) {
      const notification = await stream.next();
      const text = EncodedNotification.textOf(notification as ServerNotification);
      expect(text).toBe(JSON.stringify({ jsonrpc: "2.0", ...expected }));
      expect(EncodedNotification.textOf({ ...(notification as ServerNotification) })).toBe(text);
    }
    await server.close();
  });
});

describe("limits", () => {
  test.each([
    ["no filter", undefined],
    ["a filter that is no object", []],
    ["a flag that is no boolean", { toolsListChanged: 1 }],
    ["resources that are no list", { resourceSubscriptions: "a:1" }],
    ["a resource that is no text", { resourceSubscriptions: [5] }],
    ["a resource that is no URI", { resourceSubscriptions: ["no uri"] }],
    [
      "too many resources",
      { resourceSubscriptions: Array.from({ length: 257 }, (_, i) => `a:${i}`) },
    ],
  ])("T-49 refuses %s before the acknowledgement", async (_title, notifications) => {
    const inbox = createInbox();
    const params = { notifications } as {};
    expect(
      await refusal(create(), "subscriptions/listen", params, { notify: inbox.notify }),
    ).toMatchObject({ code: -32602 });
    expect(inbox.received).toEqual([]);
  });

  test("T-49 of more than 16 subscriptions of one principal the last is refused, others are served", async () => {
    const principal = (subject: string) => ({ issuer: "i", clientId: "c", subject });
    const server = create();
    const streams = Array.from({ length: 16 }, (_, id) =>
      listen(server, EVERYTHING, { id, principal: principal("ann") }),
    );
    await Promise.all(streams.map((stream) => stream.next()));
    const inbox = createInbox();
    const params = { notifications: EVERYTHING };
    const ann = { principal: principal("ann"), notify: inbox.notify };
    expect(await refusal(server, "subscriptions/listen", params, ann)).toEqual({
      code: -31001,
      message: "16 of your subscriptions are open",
    });
    expect(inbox.received).toEqual([]);
    await listen(server, EVERYTHING, { principal: principal("bob") }).next();
    streams[0]?.controller.abort();
    await listen(server, EVERYTHING, { principal: principal("ann") }).next();
    await server.close();
  });

  test("T-49 of more than 1,024 subscriptions the last is refused, and one that ends makes room", async () => {
    const server = create();
    const call = {
      method: "subscriptions/listen",
      params: { notifications: EVERYTHING },
      meta: createMeta(),
    };
    const first = new AbortController();
    const open = Array.from({ length: 1_024 }, (_, index) =>
      server.exchange(call, createContext(index === 0 ? { signal: first.signal } : {})),
    );
    for (const result of open) result.catch(() => undefined);
    // By then the room of the subscriptions is loaded, and all of them are in.
    await listen(createServer(INFO), EVERYTHING).result;
    expect(await refusal(server, "subscriptions/listen", call.params)).toEqual({
      code: -31003,
      message: "too many subscriptions",
    });
    await send(server, "server/discover");
    first.abort(new Error("left"));
    await expect(open[0]).rejects.toEqual(new Error("left"));
    const stream = listen(server, EVERYTHING);
    expect(await stream.next()).toMatchObject({
      method: "notifications/subscriptions/acknowledged",
    });
    await server.close();
    expect(await Promise.all(open.slice(1))).toHaveLength(1_023);
  });
});

test("T-51 a resource whose visibility cannot be told is told to nobody, and the fault is", async () => {
  const faults: unknown[] = [];
  let isBroken = false;
  const server = create(faults).resource(
    "a:9",
    {
      visible: () => {
        if (isBroken) throw new Error("directory is down");
        return true;
      },
    },
    () => "x",
  );
  const stream = listen(server, { resourceSubscriptions: ["a:1", "a:9"] });
  await stream.next();
  isBroken = true;
  server.resourceUpdated("a:9");
  server.resourceUpdated("a:1");
  expect(await stream.next()).toEqual(updated("a:1"));
  expect(faults).toEqual([new Error("directory is down")]);
  stream.controller.abort();
});
