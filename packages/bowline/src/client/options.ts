import type { Known } from "../base/known-members.ts";
import type { ClientCapabilities } from "../protocol/capabilities.ts";
import type { Implementation } from "../protocol/implementation.ts";
import type { CacheOptions } from "./caching/options.ts";
import type { ListenOptions } from "./listening/change.ts";
import type { InputHandlers } from "./rounds/handlers.ts";
import type { OnWarning } from "./tools/catalogue.ts";

export interface ClientOptions extends InputHandlers {
  /** Told to servers for display and logs. */
  readonly info?: Implementation | undefined;
  /** What this client can do besides what its handlers say; sent with every request. */
  readonly capabilities?: ClientCapabilities | undefined;
  /** Longest silence before a call fails, in milliseconds. Default 60,000. */
  readonly timeoutMs?: number | undefined;
  /** Longest wait for one answer whatever its progress, in milliseconds. Default 300,000. */
  readonly maxTotalTimeoutMs?: number | undefined;
  /** Keeps lists, resources and discovery for as long as the server allows. `false` asks it every time. */
  readonly cache?: false | CacheOptions | undefined;
  /**
   * How often a call may be sent again where no answer came, at most 5 times. Trusts what servers say of their tools, see
   * `CallOptions`. Default 0.
   */
  readonly retries?: number | undefined;
  /** Refuses the result of a tool that is not what the tool's listed `outputSchema` promises. Default: true. */
  readonly validateOutput?: boolean | undefined;
  /** Hears of tools that are left out of lists and of a cache that fails, and why. Default: the console. */
  readonly onWarning?: OnWarning | undefined;
  /** Ends what the exchange runs over; called once, by `client.close()`. */
  readonly onClose?: (() => Promise<void>) | undefined;
}

export const CLIENT_OPTIONS: Known<ClientOptions> = {
  info: "object",
  capabilities: "object",
  timeoutMs: "number",
  maxTotalTimeoutMs: "number",
  cache: "any",
  retries: "number",
  validateOutput: "boolean",
  onElicit: "function",
  onElicitUrl: "function",
  onSample: "function",
  roots: "any",
  onWarning: "function",
  onClose: "function",
};

export const LISTEN_OPTIONS: Known<ListenOptions> = { signal: "object", timeoutMs: "number" };
