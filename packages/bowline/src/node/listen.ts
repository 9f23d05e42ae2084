import { createServer, type Server } from "node:http";
import type { Socket } from "node:net";
import { assertOptions, type Known } from "../base/known-members.ts";
import {
  HEADERS_TIMEOUT_MS,
  HTTP_SERVER_LIMITS,
  IDLE_CONNECTION_MS,
  MAX_CONNECTIONS,
  MAX_CONNECTIONS_PER_ADDRESS,
  MAX_HEADER_BYTES,
} from "../base/limits.ts";
import type { Activity } from "../http/answer/admission.ts";
import { Endpoint, type ExchangeSource } from "../http/endpoint.ts";
import { ENDPOINT_OPTIONS } from "../http/options.ts";
import { isLoopbackAddress } from "./head.ts";
import { listenerOf, type ListenerOptions } from "./listener.ts";

export interface ListenOptions extends ListenerOptions {
  /** Default: one the system chooses. */
  readonly port?: number | undefined;
  /** Address to bind; default `127.0.0.1`. Others need `allowedHosts` or `authorize`. */
  readonly host?: string | undefined;
  readonly maxConnections?: number | undefined;
  /** From one address, this machine's own aside. */
  readonly maxConnectionsPerAddress?: number | undefined;
}

/** A server that listens. */
export interface RunningServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  activity(): Activity;
  /** Stops listening, lets calls finish for `closeGraceMs`, then cuts what is left. Never rejects. */
  close(): Promise<void>;
}

/**
 * Serves an exchange over HTTP on an address of this machine, by default only to this machine.
 *
 * Rejects with a `TypeError` for an address that others reach, unless `allowedHosts` or `authorize`
 * keeps web pages out that found a way round the same-origin rule; and with the system's error if the
 * address cannot be bound. Close it, or dispose of it.
 *
 * @example
 * const { url } = await listen(server, { port: 3000 });
 */
export async function listen(
  source: ExchangeSource,
  options: ListenOptions = {},
): Promise<RunningServer> {
  assertOptions("listen", options, LISTEN_OPTIONS, {
    what: "the second argument, such as { port: 3000 },",
  });
  const { port = 0, host = "127.0.0.1", path = "/mcp" } = options;
  if (!isLoopbackHost(host) && !options.allowedHosts && !options.authorize) {
    throw new TypeError(`host: ${host} is reached by others; set allowedHosts or authorize`);
  }
  const endpoint = new Endpoint(source, options, "listen");
  const listener = listenerOf(endpoint);
  const server = createServer(SERVER_OPTIONS, listener);
  server.keepAliveTimeout = IDLE_CONNECTION_MS;
  limitConnections(server, options);
  server.on("clientError", refuseConnection);
  await bind(server, port, host);
  // Connections that cannot be accepted are no reason to end: the next one may be.
  server.on("error", (error) => endpoint.fail(error));
  const address = server.address();
  const bound = typeof address === "object" ? (address?.port ?? port) : port;
  const close = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    await listener.close();
    server.closeAllConnections();
    await closed;
  };
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${bound}${path}`,
    port: bound,
    activity: () => listener.activity(),
    close,
    [Symbol.asyncDispose]: close,
  };
}

const LISTEN_OPTIONS: Known<ListenOptions> = {
  port: "number",
  host: "string",
  maxConnections: "number",
  maxConnectionsPerAddress: "number",
  ...ENDPOINT_OPTIONS,
};

const SERVER_OPTIONS = {
  maxHeaderSize: MAX_HEADER_BYTES,
  headersTimeout: HEADERS_TIMEOUT_MS,
  requestTimeout: HTTP_SERVER_LIMITS.bodyTimeoutMs,
  connectionsCheckingInterval: 5_000,
  requireHostHeader: true,
  insecureHTTPParser: false,
} as const;

function isLoopbackHost(host: string): boolean {
  return host === "localhost" || isLoopbackAddress(host);
}

function bind(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => reject(nameTaken(error, port, host));
    server.once("error", fail);
    server.listen(port, host, () => {
      server.off("error", fail);
      resolve();
    });
  });
}

/** The system's message for a port that is taken says neither what to do nor, everywhere, which it is. */
function nameTaken(error: NodeJS.ErrnoException, port: number, host: string): Error {
  const { code } = error;
  if (code !== "EADDRINUSE") return error;
  const message = `port ${port} of ${host} is in use: choose another, or port 0 for any that is free`;
  return Object.assign(new Error(message, { cause: error }), { code });
}

/** One address cannot take every connection. The machine's own may be a proxy for all the others. */
function limitConnections(server: Server, options: ListenOptions): void {
  const { maxConnectionsPerAddress = MAX_CONNECTIONS_PER_ADDRESS } = options;
  server.maxConnections = options.maxConnections ?? MAX_CONNECTIONS;
  const counts = new Map<string, number>();
  server.on("connection", (socket: Socket) => {
    const address = socket.remoteAddress ?? "";
    if (isLoopbackAddress(address)) return;
    const count = (counts.get(address) ?? 0) + 1;
    if (count > maxConnectionsPerAddress) {
      socket.destroy();
      return;
    }
    counts.set(address, count);
    socket.once("close", () => {
      const left = (counts.get(address) ?? 1) - 1;
      if (left === 0) counts.delete(address);
      else counts.set(address, left);
    });
  });
}

const STATUS_OF_FAULT: ReadonlyMap<string, string> = new Map([
  ["HPE_HEADER_OVERFLOW", "431 Request Header Fields Too Large"],
  ["HPE_CHUNK_EXTENSIONS_OVERFLOW", "413 Payload Too Large"],
  ["ERR_HTTP_REQUEST_TIMEOUT", "408 Request Timeout"],
]);

/** Answers what is no HTTP, and closes: what follows on the connection cannot be told apart from it. */
function refuseConnection(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const status = STATUS_OF_FAULT.get(error.code ?? "") ?? "400 Bad Request";
  socket.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nCache-Control: no-store\r\n` +
      "X-Content-Type-Options: nosniff\r\nContent-Length: 0\r\n\r\n",
  );
}
