import { createServer, type ServerResponse } from "node:http";

import { expect, onTestFinished, test, vi } from "vitest";
import { FloorStreams } from "./peers/floor-streams.ts";
import { listenOnLoopback } from "./peers/node-http.ts";
import { Stream } from "./stream.ts";

/** A server that gives every request to `answer`, and one stream on it, numbered 7. */
async function openOn(answer: (response: ServerResponse) => void) {
  const server = createServer((_request, response) => answer(response));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const running = await listenOnLoopback(server);
  const [onChange, onFault] = [vi.fn<() => void>(), vi.fn<(error: Error) => void>()];
  await Stream.open({ id: 7, ...running }, onChange, onFault);
  return { onChange, onFault };
}

test("a stream counts the changes it is told", async () => {
  const streams = new FloorStreams();
  const { onChange, onFault } = await openOn((response) => streams.open(7, response));
  streams.changeTools();
  await vi.waitFor(() => expect(onChange).toHaveBeenCalledTimes(1));
  streams.changeTools();
  await vi.waitFor(() => expect(onChange).toHaveBeenCalledTimes(2));
  expect(onFault).not.toHaveBeenCalled();
});

test("an event that comes in pieces counts once, and a comment not at all", async () => {
  const streams = new FloorStreams();
  let send: (text: string) => Promise<void> = () => Promise.resolve();
  const { onChange } = await openOn((response) => {
    streams.open(7, response);
    send = (text) => new Promise((resolve) => response.socket?.write(text, () => resolve()));
  });
  await send("e\r\n: keep-alive\n\n\r\n");
  await send(`6c\r\ndata: {"method":"notifications/tools/list_`);
  await send(`changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":7}}}\n\n\r\n`);
  await vi.waitFor(() => expect(onChange).toHaveBeenCalledTimes(1));
});

test("another stream's event is a fault", async () => {
  const streams = new FloorStreams();
  let write: ServerResponse["write"] = () => true;
  const { onFault } = await openOn((response) => {
    streams.open(7, response);
    write = response.write.bind(response);
  });
  write(
    `data: {"method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":77}}}\n\n`,
  );
  await vi.waitFor(() => expect(onFault).toHaveBeenCalled());
});

test.for([
  [
    "a refusal",
    (r: ServerResponse) => void r.writeHead(503).end("busy"),
    "no stream: HTTP/1.1 503",
  ],
  ["another's acknowledgement", (r: ServerResponse) => new FloorStreams().open(8, r), "got: "],
] as const)("%s ends the run", async ([_what, answer, message]) => {
  await expect(openOn(answer)).rejects.toThrow(message);
});
