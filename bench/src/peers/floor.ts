import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { ToolSpec } from "../tools.ts";
import { FloorRpc } from "./floor-rpc.ts";
import { listenOnLoopback, readBody } from "./node-http.ts";
import { FloorStreams } from "./floor-streams.ts";
import type { Peer } from "./peer.ts";

/** `node:http`, `JSON.parse`, the mandatory header checks, `JSON.stringify`. */
export const floor: Peer = {
  name: "floor",
  about: "bare node:http that parses, checks the mandatory headers and encodes",
  startHttp: async (tools) => {
    const rpc = new FloorRpc(tools);
    const streams = new FloorStreams();
    const running = await listenOnLoopback(
      createServer((request, response) => handle(rpc, streams, request, response)),
    );
    return { ...running, changeTools: () => streams.changeTools() };
  },
  startStdio: async (tools) => serveLines(tools),
};

function handle(
  rpc: FloorRpc,
  streams: FloorStreams,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  readBody(request, (text) => {
    const { status, body, listener } = rpc.overHttp(text, (name) => request.headers[name]);
    if (listener !== undefined) {
      streams.open(listener, response);
      return;
    }
    const answer = JSON.stringify(body);
    const headers = {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(answer),
    };
    response.writeHead(status, headers).end(answer);
  });
}

function serveLines(tools: readonly ToolSpec[]): void {
  const rpc = new FloorRpc(tools);
  let rest = "";
  process.stdin.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    const answers = lines.map((line) => JSON.stringify(rpc.answer(JSON.parse(line))));
    if (answers.length > 0) process.stdout.write(`${answers.join("\n")}\n`);
  });
}
