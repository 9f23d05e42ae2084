/** Every `code` an error of this package can carry. `docs/errors.md` explains each one. */
export type McpErrorCode =
  | "ERR_MCP"
  | "ERR_MCP_RPC"
  | "ERR_MCP_DECODE"
  | "ERR_MCP_TRANSPORT"
  | "ERR_MCP_TRANSPORT_CLOSED"
  | "ERR_MCP_TRANSPORT_STATUS"
  | "ERR_MCP_TIMEOUT"
  | "ERR_MCP_LIMIT"
  | "ERR_MCP_TOOL";

/**
 * How far a call came before it failed: its server was looked for, the connection made and secured, a status given,
 * a version agreed on, credentials asked for, the answer read; or the time was up, or the server itself refused.
 */
export type Stage =
  | "resolve"
  | "connect"
  | "tls"
  | "http"
  | "negotiate"
  | "authorize"
  | "decode"
  | "timeout"
  | "peer";

const BRAND = Symbol.for("bowline.error");

/** What the brand holds: the kinds an instance is, from its own class up to `McpError`. */
interface Branded {
  readonly [BRAND]?: readonly string[];
}

const hasKind = (type: object): type is { readonly kind: string } => Object.hasOwn(type, "kind");

const kindsOf = (value: unknown): readonly string[] | undefined =>
  typeof value === "object" && value !== null ? (value as Branded)[BRAND] : undefined;

/**
 * The root of every error this package raises on purpose. Misuse of the API throws `TypeError` or
 * `RangeError` instead, and an abort rethrows the signal's own reason.
 *
 * `instanceof` and `McpError.is` hold across copies of the package: they read a registered symbol,
 * not the prototype chain. Subclasses of yours compare by prototype, as usual.
 */
export class McpError extends Error {
  static readonly kind: string = "McpError";
  readonly code: McpErrorCode = "ERR_MCP";
  /** Where a call of a client failed; absent where the error is of no such call. */
  readonly stage: Stage | undefined;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    const kinds: string[] = [];
    for (let type: unknown = new.target; typeof type === "function";) {
      if (hasKind(type)) kinds.push(type.kind);
      type = Object.getPrototypeOf(type);
    }
    // A minifier renames classes, not kinds.
    const name = hasKind(new.target) ? new.target.kind : new.target.name;
    Object.defineProperty(this, "name", { value: name, configurable: true, writable: true });
    Object.defineProperty(this, BRAND, { value: kinds });
  }

  static is<C extends abstract new (...args: never) => unknown>(
    this: C,
    error: unknown,
  ): error is InstanceType<C> {
    return error instanceof this;
  }

  static override [Symbol.hasInstance](this: unknown, value: unknown): boolean {
    if (typeof this !== "function") return false;
    if (hasKind(this)) return kindsOf(value)?.includes(this.kind) ?? false;
    return Function.prototype[Symbol.hasInstance].call(this, value);
  }
}

export interface RpcErrorOptions extends ErrorOptions {
  /** Sent to, or received from, the peer as `error.data`. */
  readonly data?: unknown;
  /** `"peer"` marks an error that arrived in a response; errors thrown here are `"local"`. */
  readonly origin?: "local" | "peer";
}

/** A JSON-RPC error: thrown by a handler to answer with it, or received from the peer. */
export class RpcError extends McpError {
  static override readonly kind: string = "RpcError";
  declare readonly code: "ERR_MCP_RPC";
  declare readonly stage: "peer" | undefined;
  readonly rpcCode: number;
  readonly data: unknown;
  readonly origin: "local" | "peer";

  constructor(rpcCode: number, message: string, options: RpcErrorOptions = {}) {
    super(message, options);
    this.code = "ERR_MCP_RPC";
    this.rpcCode = rpcCode;
    this.data = options.data;
    this.origin = options.origin ?? "local";
    this.stage = this.origin === "peer" ? "peer" : undefined;
  }
}

export interface DecodeErrorOptions extends ErrorOptions {
  /** JSON Pointer of the offending place; empty for the whole document. */
  readonly path?: string;
  readonly expected?: string;
}

/** The peer sent something the specification does not allow. */
export class DecodeError extends McpError {
  static override readonly kind: string = "DecodeError";
  declare readonly code: "ERR_MCP_DECODE";
  declare readonly stage: "decode";
  readonly path: string;
  readonly expected: string | undefined;

  constructor(message: string, options: DecodeErrorOptions = {}) {
    super(message, options);
    this.code = "ERR_MCP_DECODE";
    this.stage = "decode";
    this.path = options.path ?? "";
    this.expected = options.expected;
  }
}

export type TransportErrorCode = Extract<McpErrorCode, `ERR_MCP_TRANSPORT${string}`>;

export interface TransportErrorOptions extends ErrorOptions {
  readonly code?: TransportErrorCode;
  /** HTTP status, where there was an HTTP answer. */
  readonly status?: number;
  /** Default: `"connect"`. */
  readonly stage?: Stage;
  readonly hint?: string;
}

/** No answer is to be had: connection refused or closed, bad HTTP status, process gone. */
export class TransportError extends McpError {
  static override readonly kind: string = "TransportError";
  declare readonly code: TransportErrorCode;
  readonly status: number | undefined;
  declare readonly stage: Stage;
  /** What to do about it, where that can be told. */
  readonly hint: string | undefined;

  constructor(message: string, options: TransportErrorOptions = {}) {
    super(message, options);
    this.code = options.code ?? "ERR_MCP_TRANSPORT";
    this.status = options.status;
    this.stage = options.stage ?? "connect";
    this.hint = options.hint;
  }
}

/** No answer came in time. A signal of yours that expires is no such error: its own reason is rethrown. */
export class TimeoutError extends McpError {
  static override readonly kind: string = "TimeoutError";
  declare readonly code: "ERR_MCP_TIMEOUT";
  declare readonly stage: "timeout";
  /** Name of the option that set the limit. */
  readonly limit: string;
  readonly ms: number;

  constructor(limit: string, ms: number) {
    super(`no answer within ${ms} ms (${limit})`);
    this.code = "ERR_MCP_TIMEOUT";
    this.stage = "timeout";
    this.limit = limit;
    this.ms = ms;
  }
}

/** One of the limits in force was reached. */
export class LimitError extends McpError {
  static override readonly kind: string = "LimitError";
  declare readonly code: "ERR_MCP_LIMIT";
  /** Name of the limit, as in `Limits`. */
  readonly limit: string;
  readonly max: number;

  constructor(limit: string, max: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = "ERR_MCP_LIMIT";
    this.limit = limit;
    this.max = max;
  }
}
