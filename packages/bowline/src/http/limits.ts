import {
  HARD_HTTP_SERVER_LIMITS,
  HTTP_SERVER_LIMITS,
  type HttpServerLimits,
} from "../base/limits.ts";

/** Limits of an HTTP server to set otherwise. */
export interface HttpLimitOptions extends Partial<HttpServerLimits> {
  /** Allows values so high that a single client can take the process down. */
  readonly unsafe?: boolean;
}

/** The limits in force. Throws a `RangeError` for a value that is none, or above what is safe. */
export function resolveLimits(options: HttpLimitOptions = {}): HttpServerLimits {
  const { unsafe = false, ...wanted } = options;
  for (const [name, value] of Object.entries(wanted)) {
    if (!isLimitName(name)) throw new RangeError(`limits: there is no ${name}`);
    if (!(typeof value === "number" && value >= 0)) {
      throw new RangeError(`limits.${name}: ${String(value)} is no limit`);
    }
    const hard = HARD_HTTP_SERVER_LIMITS[name] ?? Infinity;
    if (value > hard && !unsafe) {
      throw new RangeError(`limits.${name}: more than ${hard} needs limits.unsafe`);
    }
  }
  return { ...HTTP_SERVER_LIMITS, ...wanted };
}

function isLimitName(name: string): name is keyof HttpServerLimits {
  return Object.hasOwn(HTTP_SERVER_LIMITS, name);
}
