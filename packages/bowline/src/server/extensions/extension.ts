import type { MaybePromise } from "../../base/maybe-promise.ts";
import type { JsonObject } from "../../json/value.ts";
import type { Call } from "../../protocol/call.ts";
import type { ClientCapabilities } from "../../protocol/capabilities.ts";
import type { CallContext } from "../../protocol/exchange.ts";
import type { Result } from "../../protocol/result.ts";
import type { Middleware } from "../middleware.ts";

/** Answers one method of an extension. `call.params` come as the client sent them: check them. */
export type ExtensionMethod = (call: Call, context: CallContext) => MaybePromise<Result>;

/** What an extension makes of its member of a tool's configuration. */
export interface ToolExtension {
  /** Joins the `_meta` that is listed of the tool. */
  readonly meta?: JsonObject | undefined;
  /** What clients must be able to do to call the tool; without it they are refused with `-32021`. */
  readonly requires?: ClientCapabilities | undefined;
}

/**
 * Something a server can do beyond the core of the protocol, in one object for `server.extend()`.
 *
 * It takes part in a request only where that request's client declared it: everyone else gets the core behaviour, or
 * `-32021` from the methods of the extension. `K` is what it adds to the configuration of a tool, `C` what it adds to
 * the context of handlers.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/extensions
 */
export interface Extension<K extends object = {}, C extends object = {}> {
  /** A name under a domain of yours, reversed: `com.example/receipts`. Change it with every incompatible change. */
  readonly id: string;
  /** Its settings, as `server/discover` tells them; default `{}`. */
  readonly capability?: JsonObject | undefined;
  readonly methods?: { readonly [method: string]: ExtensionMethod } | undefined;
  /** Values of `resultType`, besides those of the core, that its methods and middleware may answer with. */
  readonly resultTypes?: readonly string[] | undefined;
  /** For each of its members of a tool's configuration, called where a tool that has it is registered. */
  readonly toolMembers?: {
    readonly [M in keyof K]-?: (
      value: NonNullable<K[M]>,
      tool: { readonly name: string },
    ) => ToolExtension | undefined;
  };
  /** Makes its members of a handler's context, for each call of a tool, prompt or resource. */
  readonly context?: ((call: Call, context: CallContext) => C) | undefined;
  /** Wraps every method, inside of the middleware that is added with `server.use()`. */
  readonly middleware?: Middleware | undefined;
  /** For the compiler only; never set. */
  readonly "~types"?: { readonly config: K; readonly context: C };
}
