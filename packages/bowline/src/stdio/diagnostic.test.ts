import { describe, expect, test } from "vitest";
import { firstOfEachKind, quote, type StdioDiagnostic } from "./diagnostic.ts";

describe("quote", () => {
  test.each([
    ["plain text", '"plain text"'],
    ['a "b" \\', '"a \\"b\\" \\\\"'],
    ["\u001b[2J\r\n\u0007", '"\\u001b[2J\\r\\n\\u0007"'],
    ["\u009b1m\u007f", '"\\u009b1m\\u007f"'],
    ["a\u202eb\u200bc\u2066", '"a\\u202eb\\u200bc\\u2066"'],
    ["漢字 🦉", '"漢字 🦉"'],
  ])("escapes what a terminal could obey in %j", (text, quoted) => {
    expect(quote(text)).toBe(quoted);
  });

  test("shortens long text", () => {
    expect(quote("x".repeat(600))).toBe(`"${"x".repeat(512)}…"`);
  });
});

test("firstOfEachKind passes on one diagnostic of each kind", () => {
  const passed: StdioDiagnostic[] = [];
  const report = firstOfEachKind((diagnostic) => passed.push(diagnostic));
  const refused: StdioDiagnostic = { kind: "refused-line", message: "a" };
  const stray: StdioDiagnostic = { kind: "stray-message", message: "b" };
  for (const each of [refused, { ...refused, message: "c" }, stray, refused]) report(each);
  expect(passed).toEqual([refused, stray]);
});
