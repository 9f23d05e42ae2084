import type { JsonObject } from "../json/value.ts";
import { createServer as createHttpServer, type ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, test, vi } from "vitest";
import { post } from "../../test/http.ts";
import { bind, toRequestText } from "../../test/raw-exchange.ts";
import { createServer } from "../server/create-server.ts";
import type { Server } from "../server/server.ts";
import { createListener, type NodeListener } from "./listener.ts";

const LISTS = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };
/** As long as they may well be, so that a client that takes nothing is soon behind. */
const FILL = Array.from({ length: 50 }, (_, n) => `a:fill/${n}/${"x".repeat(4_000)}`);
const LATER = Array.from({ length: 50 }, (_, n) => `a:later/${n}/${"x".repeat(4_000)}`);
const LIST_METHODS = ["tools", "prompts", "resources"].map(
  (l) => `notifications/${l}/list_changed`,
);
const MIB = 1024 * 1024;

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

interface Started {
  readonly port: number;
  readonly listener: NodeListener;
  /** Bytes that wait for the client of each request, in order. */
  readonly waiting: () => readonly number[];
}

async function start(server: Server): Promise<Started> {
  const listener = createListener(server);
  const responses: ServerResponse[] = [];
  const http = createHttpServer((request, response) => {
    responses.push(response);
    listener(request, response);
  });
  stops.push(() => {
    http.closeAllConnections();
    http.close();
  });
  const port = await bind(http);
  return { port, listener, waiting: () => responses.map(({ writableLength }) => writableLength) };
}

/** A client on a bare socket. */
class Client {
  text = "";
  readonly socket: Socket;

  constructor(port: number, notifications: JsonObject) {
    this.socket = connect(port, "127.0.0.1");
    stops.push(() => void this.socket.destroy());
    this.socket.setEncoding("latin1").on("data", (text: string) => (this.text += text));
    const asked = post({ id: "s", method: "subscriptions/listen", params: { notifications } });
    this.socket.write(toRequestText(asked, `127.0.0.1:${port}`));
  }

  /** What it was told after the acknowledgement: the URI of a resource, or the method. */
  get news(): readonly string[] {
    return this.text
      .split("\n")
      .filter((line) => line.startsWith("data: "))
      .map((line) => JSON.parse(line.slice(6)) as { method: string; params: { uri?: string } })
      .slice(1)
      .map(({ method, params: { uri } }) => uri ?? method);
  }

  async acknowledged(): Promise<void> {
    while (!/acknowledged".*\n\n\r\n$/s.test(this.text)) await turn();
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function createLoaded(): Server {
  const server: Server = createServer({ name: "test", version: "1.0.0" });
  server.tool("t", {}, () => "").prompt("p", {}, () => "");
  for (const uri of ["a:1", ...FILL, ...LATER]) server.resource(uri, {}, () => "");
  return server;
}

/** Changes every list. */
function changeLists(server: Server): void {
  if (!server.removeTool("u")) server.tool("u", {}, () => "");
  if (!server.removePrompt("q")) server.prompt("q", {}, () => "");
  if (!server.removeResource("a:2")) server.resource("a:2", {}, () => "");
}

describe("listeners on sockets", () => {
  test("T-50 T-29 one that takes nothing holds little and slows nobody; later it is told once of each thing that changed", async () => {
    const server = createLoaded();
    const { port, listener, waiting } = await start(server);
    const slow = new Client(port, { ...LISTS, resourceSubscriptions: [...FILL, ...LATER] });
    await slow.acknowledged();
    slow.socket.pause();
    const quick = new Client(port, { resourceSubscriptions: ["a:1"] });
    await quick.acknowledged();
    const update = async (uris: readonly string[]): Promise<void> => {
      for (const uri of uris) server.resourceUpdated(uri);
      await turn();
    };
    // What the kernel takes is on its way, and one more round is for what waits in between.
    for (let full = 0; full < 2;) {
      await update(FILL);
      full = (waiting()[0] ?? 0) > 0 ? full + 1 : 0;
    }

    for (let round = 0; round < 100; round++) {
      for (let run = 0; run < 17; run++) changeLists(server);
      await update(LATER);
    }
    for (let round = 0; round < 100; round++) await update(["a:1"]);
    await vi.waitFor(() => expect(quick.news).toEqual(Array.from({ length: 100 }, () => "a:1")));
    expect(waiting()[0]).toBeLessThan(MIB);
    expect(listener.activity()).toMatchObject({ listenStreams: 2, slowConsumers: 0 });

    slow.socket.resume();
    const expected = [...LATER, ...LIST_METHODS].toSorted();
    const told = (): readonly string[] =>
      slow.news.filter((item) => !FILL.includes(item)).toSorted();
    await vi.waitFor(() => expect(told().length).toBeGreaterThanOrEqual(expected.length), 5_000);
    server.resourceUpdated("a:1");
    await vi.waitFor(() => expect(quick.news.length).toBe(101));
    expect(told()).toEqual(expected);
  });

  test("T-49 CANC-05 one that leaves frees its place at once, and what is told to the others is whole", async () => {
    const server = createLoaded();
    const { port, listener } = await start(server);
    const clients = Array.from({ length: 20 }, () => new Client(port, LISTS));
    await Promise.all(clients.map((client) => client.acknowledged()));
    for (const { socket } of clients.slice(0, 10)) socket.destroy();
    await vi.waitFor(() =>
      expect(listener.activity()).toMatchObject({ listenStreams: 10, detached: 0 }),
    );
    server.removeTool("t");
    const left = clients.slice(10);
    await vi.waitFor(() =>
      expect(left.map(({ news }) => news)).toEqual(left.map(() => LIST_METHODS.slice(0, 1))),
    );
    await server.close();
    await vi.waitFor(() => expect(listener.activity()).toMatchObject({ listenStreams: 0 }));
    await vi.waitFor(() => {
      for (const { text } of left) {
        expect(text).toMatch(/"resultType":"complete".*\n\n\r\n0\r\n\r\n$/s);
      }
    });
  });
});
