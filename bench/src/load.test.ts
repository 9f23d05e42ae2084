import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { loadHttp } from "./load.ts";
import { FloorRpc } from "./peers/floor-rpc.ts";
import { listenOnLoopback } from "./peers/node-http.ts";
import { toolSpecs } from "./tools.ts";

const LOAD = { work: "call", tools: 1, concurrency: 2, durationMs: 20, checkEvery: 1 } as const;

async function loadOn(listener: RequestListener, load: Parameters<typeof loadHttp>[2] = LOAD) {
  const server = createServer(listener);
  onTestFinished(() => void server.close());
  const { port, path } = await listenOnLoopback(server);
  return loadHttp(port, path, load);
}

/** The floor, with a say in how its answer is sent. */
function answering(send: (answer: string) => string, isChunked = false): RequestListener {
  const rpc = new FloorRpc(toolSpecs(2));
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString("utf8");
    const { status, body } = rpc.overHttp(text, (name) => request.headers[name]);
    const answer = send(JSON.stringify(body));
    response.writeHead(status, isChunked ? {} : { "content-length": Buffer.byteLength(answer) });
    if (isChunked) response.write(answer.slice(0, 10));
    response.end(isChunked ? answer.slice(10) : answer);
  };
  return (request, response) => void respond(request, response);
}

test.for([
  ["with a length", false],
  ["in chunks", true],
] as const)("an answer %s is read whole", async ([_how, isChunked]) => {
  const window = await loadOn(answering((answer) => answer, isChunked));
  expect(window.requests).toBeGreaterThanOrEqual(2);
  expect(Math.round(window.bytes)).toBeGreaterThan(90);
});

test("a wrong sum ends the run", async () => {
  const wrong = answering((answer) => answer.replace(/"text":"\d+"/, '"text":"0"'));
  await expect(loadOn(wrong)).rejects.toThrow("wrong");
});

test("another request's id ends the run", async () => {
  const foreign = answering((answer) => answer.replace(/"id":\d+/, '"id":0'));
  await expect(loadOn(foreign)).rejects.toThrow("answers 0, not");
});

test("an error status ends the run", async () => {
  const refusing: RequestListener = (_request, response) => {
    response.writeHead(503, { "content-length": 2 }).end("no");
  };
  await expect(loadOn(refusing)).rejects.toThrow("status 503: no");
});

test("a list that misses tools ends the run", async () => {
  const load = { ...LOAD, work: "list", tools: 3 } as const;
  await expect(
    loadOn(
      answering((answer) => answer),
      load,
    ),
  ).rejects.toThrow("2 tools in place of 3");
});

test("a server that closes the connection ends the run", async () => {
  await expect(loadOn((request) => request.socket.destroy())).rejects.toThrow("closed");
});
