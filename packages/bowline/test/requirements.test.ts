import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
// @ts-expect-error a script without declarations
import { renderRows } from "../../../tools/requirements.mjs";
import openRows from "./requirements/open.json" with { type: "json" };
import rows from "./requirements/rows.json" with { type: "json" };
import { idsInTitles, PACKAGE, REPOSITORY, testFiles } from "./source.ts";

/**
 * Where the rows of a prefix are fulfilled: a room, or a file or package where only that one will do it.
 * A row is asked for as soon as its place exists.
 */
const PLACES: Readonly<Record<string, string | Readonly<Record<string, string>>>> = {
  SPEC: "protocol",
  RPC: { both: "jsonrpc", server: "server", client: "client" },
  ERR: { both: "jsonrpc", server: "server", client: "client" },
  STATE: { both: "server", server: "server", client: "client" },
  BASE: "auth",
  JSCH: "schema",
  META: { both: "protocol", server: "server", client: "client" },
  ICON: { both: "protocol", server: "server", client: "packages/cli" },
  VER: { both: "protocol", server: "server", client: "client" },
  EXT: { both: "server/extensions", server: "server/extensions", client: "extensions" },
  COMPAT: "legacy",
  TRANS: "jsonrpc",
  STDIO: { both: "stdio", server: "stdio", client: "stdio/connect.ts" },
  HTTP: { both: "http", server: "http", client: "http/connect.ts" },
  HDR: {
    both: "http",
    server: "http",
    client: "http/connect.ts",
    intermediary: "packages/gateway",
  },
  XHDR: {
    both: "http",
    server: "http",
    client: "http/connect.ts",
    intermediary: "packages/gateway",
  },
  HBC: "legacy",
  PAT: { both: "server", server: "server", client: "client" },
  MRTR: { both: "server/rounds", server: "server/rounds", client: "client/input.ts" },
  SUB: {
    both: "server/listening",
    server: "server/listening",
    client: "client/listen.ts",
  },
  PROG: { both: "server", server: "server", client: "client" },
  CANC: { both: "server", server: "server", client: "client" },
  SRV: "server",
  DISC: { both: "server", server: "server", client: "client" },
  TOOLS: { both: "server", server: "server", client: "client" },
  RSRC: { both: "server", server: "server", client: "client" },
  PROMPT: { both: "server", server: "server", client: "client" },
  CACHE: {
    both: "client/caching",
    server: "server",
    client: "client/caching",
    intermediary: "packages/gateway",
  },
  COMPL: { both: "server", server: "server", client: "client" },
  LOG: { both: "server", server: "server", client: "client" },
  PAGE: { both: "server", server: "server", client: "client" },
  ELIC: { both: "server/rounds", server: "server/rounds", client: "client/input.ts" },
  SAMP: { both: "server/rounds", server: "server/rounds", client: "client/input.ts" },
  ROOTS: { both: "server/rounds", server: "server/rounds", client: "client/input.ts" },
  CHG: { both: "server", server: "server", client: "client" },
  DEPR: "protocol",
  ARCH: "server",
  VLIFE: "protocol",
  SCHEMA: { both: "extensions", server: "server", client: "http/connect.ts" },
  LINIT: "legacy",
  LHTTP: "legacy",
  LBATCH: "legacy",
  LSSE: "legacy",
  LFEAT: "legacy",
};

/** Rows that fall to another place than the rest of their prefix. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  // Who a page in a browser belongs to, and what a token may be used for.
  "ELIC-41": "auth",
  "ELIC-44": "auth",
  "ELIC-68": "auth",
  "ELIC-69": "auth",
  "ELIC-70": "auth",
};

/** Places that are not built yet. Any other place that does not exist is a mistake in the table above. */
const UNBUILT: readonly string[] = [
  "auth",
  "client/input.ts",
  "client/listen.ts",
  "extensions",
  "legacy",
  "packages/cli",
  "packages/gateway",
];

const isMandatory = (level: string) => level === "MUST" || level === "MUST NOT";
const mandatory = Object.entries(rows).filter(([, [level = ""]]) => isMandatory(level));

function placeOf(id: string, role: string): string {
  const entry = PLACES[id.slice(0, id.indexOf("-"))];
  const place = ELSEWHERE[id] ?? (typeof entry === "string" ? entry : entry?.[role]);
  if (place === undefined) throw new TypeError(`no place for ${id} (${role})`);
  return place;
}

const exists = (place: string) =>
  existsSync(place.startsWith("packages/") ? join(REPOSITORY, place) : join(PACKAGE, "src", place));

const tested = new Set(testFiles().flatMap(idsInTitles));
const asked = mandatory
  .filter(([id, [, role = ""]]) => exists(placeOf(id, role)))
  .map(([id]) => id);
const open: Readonly<Record<string, string>> = openRows.rows;

describe("requirements", () => {
  test("every place exists or stands on the list of those not built yet, never both", () => {
    const places = new Set(
      Object.values(PLACES).flatMap((entry) =>
        typeof entry === "string" ? [entry] : Object.values(entry),
      ),
    );
    const absent = [...places].filter((place) => !exists(place));
    expect(absent.toSorted()).toEqual(UNBUILT);
  });

  test("every mandatory row of an existing room leads the title of a test or stands on the open list", () => {
    const missing = asked.filter((id) => !tested.has(id) && !Object.hasOwn(open, id));
    expect(missing, "rows without a test").toEqual([]);
  });

  test("the open list holds no row that has a test, is unknown or is not asked for", () => {
    const stale = Object.keys(open).filter((id) => tested.has(id) || !asked.includes(id));
    expect(stale).toEqual([]);
  });

  test("every open row says why", () => {
    expect(Object.entries(open).filter(([, reason]) => reason.length < 20)).toEqual([]);
  });

  test("the open list is as long as its limit says, and the limit is only ever lowered", () => {
    expect(Object.keys(open)).toHaveLength(openRows.maxOpen);
  });

  test("no title is led by an id that the requirements do not know", () => {
    const prefixes = new Set(Object.keys(PLACES));
    const known = new Set(Object.keys(rows));
    const unknown = [...tested].filter((id) => {
      return prefixes.has(id.slice(0, id.indexOf("-"))) && !known.has(id);
    });
    expect(unknown).toEqual([]);
  });

  const current: unknown = renderRows();
  test.skipIf(current === undefined)("the ids are those of the written list", () => {
    const kept = readFileSync(join(PACKAGE, "test/requirements/rows.json"), "utf8");
    expect(kept).toBe(current);
  });
});
