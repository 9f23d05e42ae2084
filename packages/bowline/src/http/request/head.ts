/** What a request says before its body, as an author's function sees it. */
export interface RequestHead {
  readonly method: string;
  /** Path of the target as it was sent, nothing decoded, without the query. */
  readonly path: string;
  /** Value of a header, or undefined where it is absent. The name is in lower case. */
  readonly header: (name: string) => string | undefined;
}

/** The part of a head that is for authors, who take functions off objects. */
export function toRequestHead(head: Head): RequestHead {
  return { method: head.method, path: head.path, header: (name) => head.header(name) };
}

/** The head of a request in the form the two faces bring it to. */
export interface Head extends RequestHead {
  readonly scheme: "http" | "https";
  /** Header fields; repeats count where the platform still tells them apart. */
  readonly fields: number;
  /** A header that may come once only, and came more often. */
  readonly repeated: string | undefined;
  /** Authority of a target in absolute form. */
  readonly authority: string | undefined;
  /** Port the connection came in at, if known. */
  readonly port: number | undefined;
  /** Whether the connection came in over a loopback address; undefined where the platform does not tell. */
  readonly isLoopback: boolean | undefined;
}

const MIRROR_PREFIX = "mcp-param-";

/** Headers that repeat what the body says. */
export function isMirror(name: string): boolean {
  return (
    name === "mcp-method" ||
    name === "mcp-name" ||
    name === "mcp-protocol-version" ||
    name.startsWith(MIRROR_PREFIX)
  );
}

/** Headers of which a second copy, even an equal one, may be read differently by someone else. */
export const SINGLE_HEADERS: readonly string[] = [
  "authorization",
  "content-length",
  "content-type",
  "dpop",
  "host",
  "mcp-method",
  "mcp-name",
  "mcp-protocol-version",
  "origin",
  "sec-fetch-site",
];

/** The same for any name, those of mirrored arguments included. */
export function isSingle(name: string): boolean {
  return SINGLE_HEADERS.includes(name) || name.startsWith(MIRROR_PREFIX);
}

/** The path of a request target, and the authority of one in absolute form. */
export interface Target {
  readonly path: string;
  readonly authority: string | undefined;
}

const ABSOLUTE = /^https?:\/\/([^/?#]*)([^?#]*)/;

/** Takes a request target apart without decoding or normalising anything. */
export function parseTarget(target: string): Target {
  if (target.charCodeAt(0) !== 47) {
    const parts = ABSOLUTE.exec(target);
    if (parts === null) return { path: target, authority: undefined };
    return { path: parts[2] === "" ? "/" : (parts[2] ?? ""), authority: parts[1] };
  }
  const query = target.indexOf("?");
  return { path: query === -1 ? target : target.slice(0, query), authority: undefined };
}
