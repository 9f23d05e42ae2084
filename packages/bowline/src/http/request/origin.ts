import type { RpcError } from "../../base/errors.ts";
import { assertOptions, type Known } from "../../base/known-members.ts";
import { invalidRequest } from "../../protocol/errors.ts";
import type { Head } from "./head.ts";
import { emptyReply, errorReply, type FlatHeaders, type Reply } from "../respond.ts";

/** For pages of other origins, which browsers keep away otherwise. */
export interface CorsOptions {
  /**
   * Origins whose pages may call and read answers, as browsers send them: `https://app.example`.
   * `"*"` is every origin; it needs `authorize`, and never goes with cookies.
   */
  readonly origins: readonly string[];
  /** For how long a browser remembers the permission; default 10 minutes. */
  readonly maxAgeSeconds?: number;
}

export interface OriginOptions {
  /**
   * Names this server is reached by: `mcp.example.com` with any port, `mcp.example.com:8443` with
   * that one, `"*"` for all. Default: `localhost`, `127.0.0.1` and `[::1]`, with the port the
   * connection came in at where it is known; behind a proxy or in a container it has to be set.
   * With `authorize`, connections that come from other machines may use any name.
   */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Origins that may call besides the server's own, without being given CORS headers. */
  readonly allowedOrigins?: readonly string[] | undefined;
  readonly cors?: CorsOptions | undefined;
}

/** Keeps foreign web pages out. */
export interface Gate {
  /** The refusal, if this request may come from a page that has no business here. */
  check(head: Head): Reply | undefined;
  /** CORS headers for every answer to this request. */
  headersFor(head: Head): FlatHeaders;
  /** The answer to `OPTIONS`, where CORS is configured. */
  preflight(head: Head): Reply | undefined;
  readonly methods: string;
}

const LOOPBACK_NAMES: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);
const NO_HEADERS: FlatHeaders = [];

/** `name[:port]` to the letter: a registered name, an IPv4 or a bracketed IPv6 address. */
const HOST =
  /^(?<name>[A-Za-z0-9](?:[A-Za-z0-9._-]{0,252}[A-Za-z0-9])?|\[[0-9A-Fa-f:.]{2,45}\])(?::(?<port>[1-9]\d{0,4}))?$/;
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@,]+$/;

/** Request headers a page may be allowed to send, besides those that begin with `mcp-`. */
const ALLOWED_HEADERS: ReadonlySet<string> = new Set([
  "accept",
  "authorization",
  "content-type",
  "dpop",
  "last-event-id",
]);
const MCP_HEADER = /^mcp-[a-z0-9!#$%&'*+.^_`|~-]+$/;
const EXPOSED = "WWW-Authenticate, DPoP-Nonce, Retry-After, MCP-Protocol-Version, Mcp-Session-Id";

/** Throws a `TypeError` for options that could not be meant. */
export function createGate(options: OriginOptions, isAuthorized: boolean): Gate {
  const { allowedHosts, cors } = options;
  checkOptions(options, isAuthorized);
  const isHostAllowed =
    allowedHosts === undefined ? defaultHosts(isAuthorized) : listedHosts(allowedHosts);
  const shared = new Set(cors?.origins);
  const origins = new Set([...(options.allowedOrigins ?? []), ...shared]);
  const isCross = (origin: string): boolean => shared.has("*") || shared.has(origin);

  return {
    methods: cors === undefined ? "POST" : "POST, OPTIONS",

    check(head) {
      const host = head.header("host");
      if (host === undefined || !isHostAllowed(host, head)) {
        return forbidden(
          invalidRequest(
            "this Host is not served here: the option allowedHosts names those that are",
          ),
        );
      }
      if (head.authority !== undefined && head.authority !== host) {
        const error = invalidRequest("the request target and the Host header differ");
        return errorReply(400, error, { close: true });
      }
      const origin = head.header("origin");
      if (origin === undefined) {
        return head.header("sec-fetch-site") === "cross-site"
          ? forbidden(invalidRequest("requests of other sites are not served"))
          : undefined;
      }
      if (origin === `${head.scheme}://${host}` || origins.has(origin) || isCross(origin)) {
        return undefined;
      }
      return forbidden(invalidRequest("this Origin is not served here"));
    },

    headersFor(head) {
      if (cors === undefined) return NO_HEADERS;
      const origin = head.header("origin");
      if (origin === undefined || !isCross(origin)) return ["Vary", "Origin"];
      const allowed = shared.has(origin) ? origin : "*";
      return [
        "Vary",
        "Origin",
        "Access-Control-Allow-Origin",
        allowed,
        "Access-Control-Expose-Headers",
        EXPOSED,
      ];
    },

    preflight(head) {
      if (cors === undefined) return undefined;
      const asked = (head.header("access-control-request-headers") ?? "").toLowerCase();
      const names = asked.split(/[\t ]*,[\t ]*/).filter((name) => isAllowedHeader(name));
      const headers = ["Access-Control-Allow-Methods", "POST"];
      if (names.length > 0) headers.push("Access-Control-Allow-Headers", names.join(", "));
      headers.push("Access-Control-Max-Age", String(cors.maxAgeSeconds ?? 600));
      return emptyReply(204, headers);
    },
  };
}

function defaultHosts(isAuthorized: boolean): (host: string, head: Head) => boolean {
  let lastHost: string | undefined;
  let lastPort: number | undefined;
  return (host, head) => {
    // Clients of one server mostly say the same.
    if (host === lastHost && head.port === lastPort) return true;
    const parts = parseHost(host);
    if (parts === undefined) return false;
    // A page that came in by a rebound name has no credentials to show.
    if (isAuthorized && head.isLoopback === false) return true;
    if (!LOOPBACK_NAMES.has(parts.name)) return false;
    if (parts.port === undefined) {
      return head.port === undefined || Number(defaultPort(head)) === head.port;
    }
    if (head.port !== undefined && Number(parts.port) !== head.port) return false;
    lastHost = host;
    lastPort = head.port;
    return true;
  };
}

function listedHosts(allowed: readonly string[]): (host: string) => boolean {
  const exact = new Set(allowed);
  if (exact.has("*")) return (host) => parseHost(host) !== undefined;
  return (host) => {
    const parts = parseHost(host);
    return parts !== undefined && (exact.has(host) || exact.has(parts.name));
  };
}

function parseHost(host: string): { name: string; port: string | undefined } | undefined {
  const groups = HOST.exec(host)?.groups;
  if (groups === undefined) return undefined;
  const { name, port } = groups;
  if (name === undefined || (port !== undefined && Number(port) > 65_535)) return undefined;
  return { name, port };
}

function defaultPort(head: Head): string {
  return head.scheme === "https" ? "443" : "80";
}

function isAllowedHeader(name: string): boolean {
  return ALLOWED_HEADERS.has(name) || MCP_HEADER.test(name);
}

function forbidden(error: RpcError): Reply {
  return errorReply(403, error);
}

const CORS: Known<CorsOptions> = { origins: "object", maxAgeSeconds: "number" };

function checkOptions(options: OriginOptions, isAuthorized: boolean): void {
  if (options.cors !== undefined) assertOptions("cors", options.cors, CORS);
  for (const host of options.allowedHosts ?? []) {
    if (host !== "*" && parseHost(host) === undefined) {
      throw new TypeError(`allowedHosts: ${JSON.stringify(host)} is no host name`);
    }
  }
  const shared = options.cors?.origins ?? [];
  for (const origin of [...(options.allowedOrigins ?? []), ...shared]) {
    if (origin === "*" && shared.includes(origin)) {
      if (isAuthorized) continue;
      throw new TypeError('cors: "*" opens the server to every web page; it needs authorize');
    }
    if (!ORIGIN.test(origin)) {
      throw new TypeError(`${JSON.stringify(origin)} is no origin: write https://app.example`);
    }
  }
}
