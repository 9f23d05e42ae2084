import { once } from "node:events";
import { createConnection, createServer as createListener } from "node:net";
import { PassThrough, Readable, Writable } from "node:stream";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { connect } from "../src/connect.ts";
import { createServer } from "../src/server/create-server.ts";
import { serveStdio } from "../src/stdio/serve.ts";

const newServer = () =>
  createServer({ name: "streamed", version: "1.0.0" }).tool(
    "count",
    {},
    async (_none, { progress }) => {
      await progress(1, 1, "— 漢字");
      return "counted";
    },
  );

/** A server at the other end of two pipes, and the ends that are the client's. */
function piped() {
  const [toServer, toClient] = [new PassThrough(), new PassThrough()];
  const serving = serveStdio(newServer(), {
    input: toServer,
    output: toClient,
    // The client leaves first, which the server calls a failed write.
    onDiagnostic: () => undefined,
  });
  return { serving, input: toClient, output: toServer };
}

async function socketPair() {
  const listener = createListener((socket) => {
    serveStdio(newServer(), { input: socket, output: socket });
    listener.close();
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const address = listener.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  const socket = createConnection({ port, host: "127.0.0.1" });
  return { input: socket, output: socket };
}

function webStreams() {
  const { input, output } = piped();
  return {
    readable: Readable.toWeb(input) as unknown as ReadableStream<Uint8Array>,
    writable: Writable.toWeb(output) as WritableStream<Uint8Array>,
  };
}

describe("connect over byte streams", () => {
  test.each([
    ["two streams of Node", piped],
    ["a socket", socketPair],
    ["two streams of the web", webStreams],
  ])("STDIO-09 TRANS-02 lists, calls and follows progress over %s", async (_, open) => {
    const streams: object = await open();
    const { input, output } = streams as ReturnType<typeof piped>;
    const { readable, writable } = streams as ReturnType<typeof webStreams>;
    const client = await connect(
      readable === undefined ? { input, output } : { readable, writable },
    );
    onTestFinished(() => client.close());
    expect((await client.listTools()).map(({ name }) => name)).toEqual(["count"]);
    const seen: unknown[] = [];
    const onProgress = ({ message }: { message?: string | undefined }) => seen.push(message);
    expect((await client.callTool("count", {}, { onProgress })).content).toEqual([
      { type: "text", text: "counted" },
    ]);
    expect(seen).toEqual(["— 漢字"]);
  });

  test("closing the client ends both streams, and with them the server", async () => {
    const { serving, input, output } = piped();
    const client = await connect({ input, output });
    await client.listTools();
    await client.close();
    await serving.closed;
    expect([input.destroyed, output.destroyed]).toEqual([true, true]);
  });

  test("T-16 closing does not wait for long on a server that takes nothing", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const stuck = new Writable({ write: () => undefined });
    const client = await connect({ input: new PassThrough(), output: stuck });
    const call = client.listTools().catch((error: unknown) => error);
    const closed = client.close();
    await vi.advanceTimersByTimeAsync(2_000);
    await closed;
    expect(await call).toMatchObject({ code: "ERR_MCP_TRANSPORT_CLOSED" });
    expect(stuck.destroyed).toBe(true);
  });

  test("a web stream that fails fails the calls, with the reason", async () => {
    const reason = new Error("the cable was pulled");
    let pull = (): void => undefined;
    const readable = new ReadableStream<Uint8Array>({
      start: (controller) => void (pull = () => controller.error(reason)),
    });
    const client = await connect({ readable, writable: new WritableStream<Uint8Array>() });
    const call = client.listTools();
    pull();
    await expect(call).rejects.toMatchObject({
      code: "ERR_MCP_TRANSPORT_CLOSED",
      message: "the connection cannot be read",
      cause: reason,
    });
  });

  test("an input that gives text fails the calls, for bytes are what was checked", async () => {
    const input = new Readable({ objectMode: true, read: () => undefined });
    const client = await connect({ input, output: new PassThrough().resume() });
    const call = client.listTools();
    input.push('{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}\n');
    await expect(call).rejects.toThrow("the input gave no bytes but a string");
  });

  test.each([
    [{ input: 1, output: new PassThrough() }, "input must be a Readable of Node, not number"],
    [{ input: new PassThrough() }, "output must be a Writable of Node, not undefined"],
    [
      { input: new PassThrough({ encoding: "utf8" }), output: new PassThrough() },
      "input has an encoding: it must give bytes, not text",
    ],
    [
      { readable: new PassThrough(), writable: new WritableStream() },
      "readable must be a ReadableStream, not object",
    ],
    [
      { readable: new ReadableStream(), writable: null },
      "writable must be a WritableStream, not null",
    ],
  ])("refuses streams that are none: %#", async (streams, message) => {
    const target = streams as unknown as Parameters<typeof connect>[0];
    await expect(connect(target)).rejects.toThrow(new TypeError(`connect: ${message}`));
  });
});
