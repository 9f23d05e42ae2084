import { expect, test } from "vitest";
import { muteUnknownFields } from "./unknown-fields.ts";

const KNOWN = [
  "data: x",
  "data",
  "event: a",
  "event",
  "id: 1",
  "id",
  "retry: 10",
  "retry:10",
  ": x",
  ":",
];
const UNKNOWN = [
  "x",
  "x:y",
  "Data: x",
  "database: x",
  "event2",
  "ids",
  " data: x",
  "retry: x",
  "retry: 1x",
  "retry:",
  "retry",
  "retry: -1",
];

test("T-33 fields that count are left alone", () => {
  const piece = ["", ...KNOWN, "", ""].join("\n");
  expect(muteUnknownFields(piece)).toBe(piece);
});

test("T-33 lines to be ignored become comments, each of them", () => {
  expect(muteUnknownFields(["", ...UNKNOWN, ""].join("\n"))).toBe(
    ["", ...UNKNOWN.map((line) => `:${line}`), ""].join("\n"),
  );
  const flood = "\nx:y".repeat(10_000);
  expect(muteUnknownFields(`${flood}\n`)).toBe(`${"\n:x:y".repeat(10_000)}\n`);
});

test.each(KNOWN)("T-33 a piece that ends within %j leaves it alone", (line) => {
  for (let end = 0; end <= line.length; end++) {
    const piece = `data: a\n${line.slice(0, end)}`;
    expect(muteUnknownFields(piece)).toBe(piece);
  }
});
