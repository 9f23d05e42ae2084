import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Running } from "./peer.ts";

const PATH = "/mcp";
const BACKLOG = 1024;

/** Listen on a free port of the loopback interface. */
export async function listenOnLoopback(server: Server): Promise<Running> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", BACKLOG, resolve));
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === "string") throw new Error("not listening on a port");
  return { port: address.port, path: PATH };
}

/** The whole body of a request as text. */
export function readBody(request: IncomingMessage, done: (text: string) => void): void {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => done(Buffer.concat(chunks).toString("utf8")));
}

export type FetchHandler = (request: Request) => Response | Promise<Response>;

/** Serve a fetch handler under `node:http`, with real web objects and nothing more than they need. */
export function serveFetch(handler: FetchHandler): Promise<Running> {
  return listenOnLoopback(
    createServer((request, response) => {
      readBody(request, (text) => {
        Promise.resolve(handler(toRequest(request, text)))
          .then((answer) => send(answer, response))
          .catch((error: unknown) => response.writeHead(500).end(String(error)));
      });
    }),
  );
}

function toRequest(request: IncomingMessage, body: string): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value));
  const { method = "GET", url = "/" } = request;
  return new Request(`http://${request.headers.host}${url}`, { method, headers, body });
}

async function send(answer: Response, response: ServerResponse): Promise<void> {
  const body = Buffer.from(await answer.arrayBuffer());
  response.writeHead(answer.status, [
    ...[...answer.headers].flat(),
    ...(answer.headers.has("content-length") ? [] : ["content-length", String(body.length)]),
  ]);
  response.end(body);
}
