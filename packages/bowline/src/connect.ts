import { assertOptions, kindOf, type Known } from "./base/known-members.ts";
import type { ClientOf } from "./client/client.ts";
import { createClient } from "./client/create-client.ts";
import { CLIENT_OPTIONS, type ClientOptions } from "./client/options.ts";
import { CONNECT_HTTP_OPTIONS, connectHttp, type ConnectHttpOptions } from "./http/connect.ts";
import type { ExchangeHolder, ExchangeSource } from "./protocol/exchange.ts";
import type { StdioCommand, StdioStreams, WebStreams } from "./stdio/target.ts";

/** A server to start as a child process and to talk to over its standard streams. */
export type StdioTarget = StdioCommand;

/** A server at the other end of a pair of byte streams, of Node or of the web. Closing the client ends both. */
export type StreamTarget = StdioStreams | WebStreams;

/** Where a server is: a URL, a command, two streams, or the server itself in the same process. */
export type Target = string | URL | StdioTarget | StreamTarget | ExchangeSource;

export type ConnectOptions = Omit<ClientOptions, "onClose"> & ConnectHttpOptions;

/**
 * A client of the server at `target`. With `typeof server` as type argument it knows the server's
 * tools, arguments and results.
 *
 * Opens no connection for a URL: the first call does. Takes over the streams of a pair. Starts the process of a command, and rejects
 * with a `TransportError` if that cannot be done. Closing the client ends the process, or the requests
 * under way; it does not close a server of this process.
 *
 * @example
 * await using client = await connect("http://127.0.0.1:3000/mcp");
 * const tools = await client.listTools();
 */
export async function connect<S extends ExchangeSource = ExchangeHolder>(
  target: Target,
  options: ConnectOptions = {},
): Promise<ClientOf<S>> {
  assertOptions("connect", options, OPTIONS);
  const { fetch, headers, maxResponseBytes, ...own } = options;
  if (typeof target === "string" || target instanceof URL) {
    const exchange = connectHttp(target, { fetch, headers, maxResponseBytes });
    return createClient<S>(typed(exchange), own);
  }
  assertTarget(target);
  if ("command" in target || "input" in target || "readable" in target) {
    // Loaded only here, so that programs for the web bundle nothing of Node.
    const { connectStdio } = await import("./stdio/connect.ts");
    const connection = connectStdio(target);
    return createClient<S>(typed(connection), { ...own, onClose: () => connection.close() });
  }
  return createClient<S>(typed(target), own);
}

const { onClose: _, ...CLIENT } = CLIENT_OPTIONS;
const OPTIONS: Known<ConnectOptions> = { ...CONNECT_HTTP_OPTIONS, ...CLIENT };

/** Throws a `TypeError` for what JavaScript may give besides. */
function assertTarget(target: Exclude<Target, string | URL>): void {
  const given: unknown = target;
  if (typeof given === "function") return;
  const members = ["command", "input", "readable", "exchange"];
  if (typeof given === "object" && given !== null && members.some((name) => name in given)) return;
  throw new TypeError(
    "connect: the target must be a URL, { command, args }, { input, output }, { readable, writable }, " +
      `a server or an exchange, not ${kindOf(given)}`,
  );
}

/** What is served at a target is known to the compiler alone, by the caller's word. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- inferred from where it is used
function typed<S extends ExchangeSource>(source: ExchangeSource): S {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return source as S;
}
