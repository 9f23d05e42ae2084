import type { IncomingMessage } from "node:http";
import { isSingle, parseTarget, type Head } from "../http/request/head.ts";

/** The head of a Node request. */
export class NodeHead implements Head {
  readonly method: string;
  readonly path: string;
  readonly authority: string | undefined;
  readonly fields: number;
  readonly repeated: string | undefined;
  readonly #request: IncomingMessage;

  constructor(request: IncomingMessage) {
    this.#request = request;
    this.method = request.method ?? "";
    const { path, authority } = parseTarget(targetOf(request));
    this.path = path;
    this.authority = authority;
    this.fields = request.rawHeaders.length / 2;
    this.repeated = findRepeated(request);
  }

  get scheme(): "http" | "https" {
    return "encrypted" in this.#request.socket ? "https" : "http";
  }

  get port(): number | undefined {
    return this.#request.socket.localPort;
  }

  get isLoopback(): boolean | undefined {
    const address = this.#request.socket.localAddress;
    return address === undefined ? undefined : isLoopbackAddress(address);
  }

  header(name: string): string | undefined {
    const value = this.#request.headers[name];
    return typeof value === "string" ? value : undefined;
  }
}

/** Whether an address is only reached from the same machine. */
export function isLoopbackAddress(address: string): boolean {
  return address === "::1" || /^(?:::ffff:)?127\./.test(address);
}

/** Express and its kin cut the mount path off `url` and keep the whole in `originalUrl`. */
function targetOf(request: IncomingMessage): string {
  const { originalUrl } = request as IncomingMessage & { originalUrl?: unknown };
  return typeof originalUrl === "string" ? originalUrl : (request.url ?? "");
}

function findRepeated({ headers, rawHeaders }: IncomingMessage): string | undefined {
  // As many names as fields: none came twice. Only otherwise is the list worth a walk.
  if (Object.keys(headers).length * 2 === rawHeaders.length) return undefined;
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? "").toLowerCase();
    if (seen.has(name) && isSingle(name)) return name;
    seen.add(name);
  }
  return undefined;
}
