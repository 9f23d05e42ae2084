import { describe, expect, test } from "vitest";
import openThreats from "./requirements/open-threats.json" with { type: "json" };
import { idsInTitles, testFiles } from "./source.ts";

const range = (first: number, last: number) =>
  Array.from(
    { length: last - first + 1 },
    (_, index) => `T-${String(first + index).padStart(2, "0")}`,
  );

/** Threats that fall to what exists: JSON and JSON-RPC, stdio, Streamable HTTP. */
const ASKED = [...range(1, 11), ...range(13, 35)];

const tested = new Set(testFiles().flatMap(idsInTitles));
const open: Readonly<Record<string, string>> = openThreats.rows;

describe("threats", () => {
  test("every threat asked for leads the title of a test or stands on the open list", () => {
    const missing = ASKED.filter((id) => !tested.has(id) && !Object.hasOwn(open, id));
    expect(missing, "threats without a test").toEqual([]);
  });

  test("the open list holds no threat that has a test or is not asked for", () => {
    expect(Object.keys(open).filter((id) => tested.has(id) || !ASKED.includes(id))).toEqual([]);
  });

  test("every open threat says why", () => {
    expect(Object.entries(open).filter(([, reason]) => reason.length < 20)).toEqual([]);
  });

  test("the open list is as long as its limit says, and the limit is only ever lowered", () => {
    expect(Object.keys(open)).toHaveLength(openThreats.maxOpen);
  });
});
