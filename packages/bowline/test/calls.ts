/** Calls on an exchange without a transport, for the tests of what is behind it. */
import type { RpcError } from "../src/base/errors.ts";
import type { JsonObject } from "../src/json/value.ts";
import type { CallContext, Exchange, Principal } from "../src/protocol/exchange.ts";
import type { Meta } from "../src/protocol/meta.ts";
import type { ServerNotification } from "../src/protocol/notifications.ts";
import type { Result } from "../src/protocol/result.ts";
import { PROTOCOL_VERSION } from "../src/protocol/versioning.ts";

export interface CallSettings {
  readonly id?: string | number;
  readonly meta?: Partial<Meta>;
  readonly principal?: Principal;
  readonly signal?: AbortSignal;
  readonly notify?: CallContext["notify"];
}

type Params = JsonObject;

export const createMeta = (meta: Partial<Meta> = {}): Meta => ({
  protocolVersion: PROTOCOL_VERSION,
  clientCapabilities: {},
  raw: {},
  ...meta,
});

export function createContext(settings: CallSettings = {}): CallContext {
  return {
    id: settings.id ?? 1,
    signal: settings.signal ?? new AbortController().signal,
    notify: settings.notify ?? (() => Promise.resolve()),
    principal: settings.principal,
  };
}

/** One call; its result as a peer would see it after JSON. */
export async function send(
  { exchange }: { readonly exchange: Exchange },
  method: string,
  params: Params = {},
  settings: CallSettings = {},
): Promise<Record<string, unknown>> {
  const call = { method, params, meta: createMeta(settings.meta) };
  const result: Result = await exchange(call, createContext(settings));
  const seen: Record<string, unknown> = JSON.parse(JSON.stringify(result));
  return seen;
}

export interface Refusal {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** One call that is refused; the error as a peer would see it. */
export async function refusal(
  server: { readonly exchange: Exchange },
  method: string,
  params: Params = {},
  settings: CallSettings = {},
): Promise<Refusal> {
  const error = await send(server, method, params, settings).then(
    (result) => {
      throw new Error(`answered ${JSON.stringify(result)}`);
    },
    (reason: RpcError) => reason,
  );
  const { rpcCode: code, message, data } = error;
  return data === undefined ? { code, message } : { code, message, data };
}

/** Collects the notifications of a call. */
export function createInbox(): {
  readonly received: ServerNotification[];
  readonly notify: CallContext["notify"];
} {
  const received: ServerNotification[] = [];
  return {
    received,
    notify: (notification) => {
      received.push(notification);
      return Promise.resolve();
    },
  };
}
