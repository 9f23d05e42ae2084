import { describe, expect, test } from "vitest";
import { JSON_LIMITS } from "../base/limits.ts";
import { scanJson } from "./scan.ts";

/** Bytes that count how many of them `indexOf` looked at. */
class CountedBytes extends Uint8Array {
  searched = 0;

  override indexOf(byte: number, from = 0): number {
    const index = super.indexOf(byte, from);
    this.searched += (index === -1 ? this.length : index) - from;
    return index;
  }
}

function searchedShare(text: string): number {
  const bytes = CountedBytes.from(new TextEncoder().encode(text)) as CountedBytes;
  scanJson(bytes, JSON_LIMITS);
  return bytes.searched / bytes.length;
}

describe("the scan", () => {
  const strings = (body: string, total: number) =>
    JSON.stringify(Array.from({ length: total / (body.length + 3) }, () => body));

  test.each([
    ["strings of 65 characters", strings("x".repeat(65), 400_000)],
    ["strings just long enough to jump", strings("x".repeat(600), 400_000)],
    ["one long string", strings("x".repeat(399_990), 400_000)],
    ["long strings full of quotes", strings(`${"x".repeat(700)}"`.repeat(20), 400_000)],
    ["long strings full of backslashes", strings(`${"x".repeat(700)}\\`.repeat(20), 400_000)],
    ["a backslash at the very end", `${strings("x".repeat(600), 400_000).slice(0, -1)},"\\\\"]`],
    ["a string that never ends", `["${"x".repeat(400_000)}`],
    ["a string that ends in a backslash", `["${"x".repeat(400_000)}\\`],
    [
      "quotes far from backslashes",
      `[${strings("x".repeat(600), 200_000)},"${"\\n".repeat(90_000)}"]`,
    ],
  ])("T-04 searches no byte more than once for each mark: %s", (_name, text) => {
    expect(searchedShare(text)).toBeLessThanOrEqual(2);
  });

  test("a view into a larger buffer is scanned alone", () => {
    const whole = new TextEncoder().encode(
      `[[[[${" ".repeat(2_000)}{"a":"${"b".repeat(900)}"}]]]]`,
    );
    const view = whole.subarray(2_004, whole.length - 4);
    expect(scanJson(view, { maxJsonDepth: 1, maxJsonNodes: 2, maxJsonMembers: 1 })).toEqual({
      members: 1,
      hasFraction: false,
    });
  });
});
