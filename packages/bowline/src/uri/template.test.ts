import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  MAX_URI_TEMPLATE_CHARS,
  MAX_URI_TEMPLATE_EXPRESSIONS,
  MAX_URI_TEMPLATE_VARIABLES,
} from "../base/limits.ts";
import { expandUriTemplate, type TemplateValues } from "./expand.ts";
import { parseUriTemplate } from "./template.ts";

interface Group {
  readonly variables: TemplateValues;
  readonly testcases: readonly (readonly [
    template: string,
    expected: string | readonly string[] | false,
  ])[];
}

const VECTORS = join(
  dirname(createRequire(import.meta.url).resolve("uri-templates/package.json")),
  "test/uritemplate-test",
);

const vectors = (
  [
    ["spec-examples", 63],
    ["spec-examples-by-section", 114],
    ["extended-tests", 26],
    ["negative-tests", 24],
  ] as const
).map(([name, count]) => {
  const groups: Record<string, Group> = JSON.parse(
    readFileSync(join(VECTORS, `${name}.json`), "utf8"),
  );
  const cases = Object.values(groups).flatMap(({ variables, testcases }) =>
    testcases.map(([template, expected]) => ({ template, expected, variables })),
  );
  return { name, count, cases };
});

function outcome(template: string, variables: TemplateValues): string | false {
  try {
    return expandUriTemplate(parseUriTemplate(template), variables);
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

describe("BR-065 the public uritemplate-test vectors", () => {
  test("are all there", () => {
    expect(vectors.map(({ cases }) => cases.length)).toEqual(vectors.map(({ count }) => count));
  });

  const cases = vectors.flatMap(({ name, cases: list }) => list.map((one) => ({ name, ...one })));
  test.each(cases)("$name: $template", ({ template, expected, variables }) => {
    const accepted = Array.isArray(expected) ? expected : [expected];
    expect(accepted).toContain(outcome(template, variables));
  });
});

describe("parseUriTemplate", () => {
  test("keeps the source and lists every mention of a variable in order", () => {
    const { source, variables, parts } = parseUriTemplate("a/{b}{/c*,d:3}{?b}");
    expect(source).toBe("a/{b}{/c*,d:3}{?b}");
    expect(variables).toEqual([
      { name: "b", operator: "", explode: false },
      { name: "c", operator: "/", explode: true },
      { name: "d", operator: "/", explode: false, prefix: 3 },
      { name: "b", operator: "?", explode: false },
    ]);
    expect(parts.map(({ kind }) => kind)).toEqual([
      "literal",
      "expression",
      "expression",
      "expression",
    ]);
  });

  test.each([
    ["a{b", 1, "expression is not closed"],
    ["ab}", 2, '"}" must be percent-encoded'],
    ["a b", 1, '" " must be percent-encoded'],
    ["{a}<", 3, '"<" must be percent-encoded'],
    ["a%2", 1, '"%" must be percent-encoded'],
    ["a\u0000", 1, '"\\u0000" must be percent-encoded'],
    ["a\ud800", 1, '"\\ud800" must be percent-encoded'],
    ["{}", 1, '"" is not a variable name'],
    ["{?}", 2, '"" is not a variable name'],
    ["{a,}", 3, '"" is not a variable name'],
    ["{a,b c}", 3, '"b c" is not a variable name'],
    ["{a{b}", 1, '"a{b" is not a variable name'],
    ["{a..b}", 1, '"a..b" is not a variable name'],
    ["{.a.}", 2, '"a." is not a variable name'],
    ["{a%2x}", 1, '"a%2x" is not a variable name'],
    ["{é}", 1, '"é" is not a variable name'],
    ["{a**}", 1, '"a*" is not a variable name'],
    ["{a:2*}", 1, '"a:2" is not a variable name'],
    ["{!a}", 1, 'operator "!" is reserved'],
    ["x{|a}", 2, 'operator "|" is reserved'],
    ["{a:0}", 2, "prefix length must be a number from 1 to 9999"],
    ["{a:01}", 2, "prefix length must be a number from 1 to 9999"],
    ["{a:10000}", 2, "prefix length must be a number from 1 to 9999"],
    ["{a:}", 2, "prefix length must be a number from 1 to 9999"],
    ["{a,b:x}", 4, "prefix length must be a number from 1 to 9999"],
  ])("refuses %j at position %i: %s", (text, position, reason) => {
    expect(() => parseUriTemplate(text)).toThrow(
      new TypeError(`malformed URI template at position ${position}: ${reason}`),
    );
  });

  test("BR-064 refuses templates beyond the limits and takes those at them", () => {
    const longest = "a".repeat(MAX_URI_TEMPLATE_CHARS);
    expect(parseUriTemplate(longest).parts).toEqual([{ kind: "literal", text: longest }]);
    expect(() => parseUriTemplate(`${longest}a`)).toThrow(
      `longer than ${MAX_URI_TEMPLATE_CHARS} characters`,
    );
    const most = "{a}".repeat(MAX_URI_TEMPLATE_EXPRESSIONS);
    expect(parseUriTemplate(most).parts).toHaveLength(MAX_URI_TEMPLATE_EXPRESSIONS);
    expect(() => parseUriTemplate(`${most}{a}`)).toThrow(
      `more than ${MAX_URI_TEMPLATE_EXPRESSIONS} expressions`,
    );
    const widest = Array.from({ length: MAX_URI_TEMPLATE_VARIABLES }, () => "a").join(",");
    expect(parseUriTemplate(`{${widest}}`).variables).toHaveLength(MAX_URI_TEMPLATE_VARIABLES);
    expect(() => parseUriTemplate(`{${widest},a}`)).toThrow(
      `more than ${MAX_URI_TEMPLATE_VARIABLES} variables`,
    );
  });
});
