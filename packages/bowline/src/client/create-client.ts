import { assertOptions } from "../base/known-members.ts";
import { PACKAGE_VERSION } from "../base/version.ts";
import { MAX_TOTAL_TIMEOUT_MS, REQUEST_TIMEOUT_MS } from "../base/limits.ts";
import { toExchangeHolder } from "../protocol/exchange.ts";
import type { ExchangeSource } from "../protocol/exchange.ts";
import { cacheSettings } from "./caching/options.ts";
import { withCache } from "./caching/with-cache.ts";
import { callMembers } from "./calls.ts";
import type { Client, ClientOf } from "./client.ts";
import { listMembers } from "./lists.ts";
import { CLIENT_OPTIONS, LISTEN_OPTIONS, type ClientOptions } from "./options.ts";
import { closedError, createRequester } from "./request.ts";
import { assertRetries, withRetry } from "./retry/with-retry.ts";
import { ToolCatalogue } from "./tools/catalogue.ts";
import { capabilitiesOf } from "./rounds/handlers.ts";
import { withRounds } from "./rounds/with-rounds.ts";
import { withMirroring } from "./tools/with-mirroring.ts";
import { withVersion } from "./version.ts";
import { withValidation } from "./tools/with-validation.ts";

/**
 * A client over anything that answers calls: a server in the same process, or one end of a transport.
 *
 * Closing the client does not close a server given to it. Throws a `TypeError` for what answers no calls and for
 * options nobody reads.
 */
export function createClient<S extends ExchangeSource>(
  source: S,
  options: ClientOptions = {},
): ClientOf<S> {
  if (typeof source === "string" || source instanceof URL) {
    throw new TypeError("createClient: the first argument is a URL: await connect(url) reaches it");
  }
  assertOptions("createClient", options, CLIENT_OPTIONS);
  const { exchange, mirrorsArguments = false } = toExchangeHolder(source, "createClient");
  const settings = settle(options);
  const requester = createRequester(exchange, settings);
  const caching = withCache(withVersion(requester.send), cacheSettings(options.cache, settings));
  const closing = new AbortController();
  const close = async (): Promise<void> => {
    caching.close();
    closing.abort(closedError());
    requester.close();
    await options.onClose?.();
  };
  const catalogue = new ToolCatalogue({ ...settings, mirrors: mirrorsArguments });
  const send = withRetry(caching.send, catalogue, { ...settings, closed: closing.signal });
  const lists = listMembers(send, catalogue);
  const listAgain = (signal?: AbortSignal): Promise<unknown> =>
    lists.listTools({ signal, cache: "reload" });
  const mirrored = mirrorsArguments ? withMirroring(send, catalogue, listAgain) : send;
  const answering = withRounds(mirrored, { ...settings, closed: closing.signal });
  const client: Client = {
    ...lists,
    ...callMembers(settings.validates ? withValidation(answering, catalogue) : answering),
    listen: async (filter, given = {}) => {
      assertOptions("listen", given, LISTEN_OPTIONS);
      const { listen } = await import("./listening/listen.ts");
      const { changed } = caching;
      const direct = withVersion(requester.send);
      return listen(filter, given, { ...settings, send: direct, changed, closed: closing.signal });
    },
    close,
    [Symbol.asyncDispose]: close,
  };
  return client;
}

/** The options of a client as its layers take them, with the defaults. */
function settle(options: ClientOptions) {
  return {
    info: options.info ?? { name: "bowline", version: PACKAGE_VERSION },
    handlers: options,
    capabilities: capabilitiesOf(options, options.capabilities),
    timeoutMs: options.timeoutMs ?? REQUEST_TIMEOUT_MS,
    maxTotalTimeoutMs: options.maxTotalTimeoutMs ?? MAX_TOTAL_TIMEOUT_MS,
    retries: assertRetries("createClient", options.retries ?? 0),
    validates: options.validateOutput ?? true,
    warn: options.onWarning ?? warnOnConsole,
    random: () => Math.random(),
    now: () => performance.now(),
  };
}

function warnOnConsole(message: string): void {
  // oxlint-disable-next-line no-console -- a tool that is missing without a word is worse than a line on the console
  console.warn(`bowline: ${message}`);
}
