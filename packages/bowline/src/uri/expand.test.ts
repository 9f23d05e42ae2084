import { describe, expect, test } from "vitest";
import { expandUriTemplate, type TemplateValues } from "./expand.ts";
import { parseUriTemplate } from "./template.ts";

function expand(template: string, values: TemplateValues): string {
  return expandUriTemplate(parseUriTemplate(template), values);
}

describe("expandUriTemplate", () => {
  test.each([
    ["{topic}", { topic: "foo/bar" }, "foo%2Fbar"],
    ["{topic}", { topic: "two words" }, "two%20words"],
    ["{topic}", { topic: "100%" }, "100%25"],
    ["{topic}", { topic: "smørbrød" }, "sm%C3%B8rbr%C3%B8d"],
    ["{topic}", { topic: "!'()*" }, "%21%27%28%29%2A"],
    ["x{?topic}", { topic: "a&b=c" }, "x?topic=a%26b%3Dc"],
    ["x{/a*}", { a: ["p", "q/r"] }, "x/p/q%2Fr"],
    ["{+path}", { path: "/a b/[c]" }, "/a%20b/[c]"],
    ["x{#frag}", { frag: "a/b" }, "x#a/b"],
  ])("BR-065 %s with %j", (template, values, expected) => {
    expect(expand(template, values)).toBe(expected);
  });

  test.each([
    ["{a}{/b}{?c,d}", { a: undefined, b: null, c: undefined }, ""],
    ["{?a,b,c}", { a: undefined, b: 0, c: false }, "?b=0&c=false"],
    ["{/a*}", { a: [undefined, "x", null] }, "/x"],
    ["{?a}", { a: [null] }, ""],
    ["{?a*}", { a: { x: undefined, y: "1" } }, "?y=1"],
    ["{;a,b}", { a: "", b: "1" }, ";a;b=1"],
    ["{;a*}", { a: ["", "1"] }, ";a;a=1"],
    ["{;a*}", { a: { x: "", y: "1" } }, ";x;y=1"],
    ["{?a*}", { a: { x: "" } }, "?x="],
    ["{a*}", { a: { x: "" } }, "x="],
    ["{?a}", { a: [""] }, "?a="],
    ["{?a}", { a: { x: "1", y: "2" } }, "?a=x,1,y,2"],
  ])(
    "leaves out what is undefined and marks what is empty: %s with %j",
    (template, values, uri) => {
      expect(expand(template, values)).toBe(uri);
    },
  );

  test.each([
    ["{a:1}", { a: "😀x" }, "%F0%9F%98%80"],
    ["{a:2}", { a: "ñandú" }, "%C3%B1a"],
    ["{+a:2}", { a: "/😀/x" }, "/%F0%9F%98%80"],
    ["{a:9999}", { a: "short" }, "short"],
    ["{a:3}", { a: 12345 }, "123"],
  ])("counts prefixes in code points: %s with %j", (template, values, expected) => {
    expect(expand(template, values)).toBe(expected);
  });

  test.each([
    ["{+a}", { a: "50%2Foff%" }, "50%2Foff%25"],
    ["{#a}", { a: "%zz%5b" }, "#%25zz%5b"],
    ["{a}", { a: "50%2F" }, "50%252F"],
    ["{+a*}", { a: ["%20", "[%5B]"] }, "%20,[%5B]"],
    ["{+a*}", { a: { "k%2F": "v%2F" } }, "k%2F=v%2F"],
  ])(
    "keeps triplets where reserved characters are allowed: %s with %j",
    (template, values, uri) => {
      expect(expand(template, values)).toBe(uri);
    },
  );

  test.each([
    ["mañana/{a}", "ma%C3%B1ana/1"],
    ["a%2fb{a}c%20d", "a%2fb1c%20d"],
    ["it's/[x]/{a}", "it's/[x]/1"],
  ])("writes literals as a URI needs them: %s", (template, expected) => {
    expect(expand(template, { a: 1 })).toBe(expected);
  });

  test("keys cannot add parameters of their own", () => {
    expect(expand("{?a*}", { a: { "x&admin": "1", "y=z": "2" } })).toBe("?x%26admin=1&y%3Dz=2");
  });

  test("names like __proto__ and constructor are plain data", () => {
    const template = "{__proto__}/{constructor}/{toString}";
    expect(expand(template, {})).toBe("//");
    const values = JSON.parse('{"__proto__":"p","constructor":"c","toString":"t"}');
    expect(expand(template, values)).toBe("p/c/t");
    expect(expand("{?a*}", { a: JSON.parse('{"__proto__":"p"}') })).toBe("?__proto__=p");
  });

  test.each([
    ["{a}", { a: "\ud800" }, "half a surrogate pair has no UTF-8 form"],
    ["{+a*}", { a: ["x", "\udc00"] }, "half a surrogate pair has no UTF-8 form"],
    ["{a}", { a: Number.NaN }, "NaN has no text"],
    ["{a}", { a: -Infinity }, "-Infinity has no text"],
    ["{a:1}", { a: ["x"] }, "a prefix needs a single value"],
    ["{a:1}", { a: { x: "y" } }, "a prefix needs a single value"],
  ])("refuses values without text: %s with %j", (template, values, reason) => {
    expect(() => expand(template, values)).toThrow(
      new TypeError(`URI template variable "a": ${reason}`),
    );
  });

  test("refuses values the types do not allow", () => {
    const nested: TemplateValues = JSON.parse('{"a":[["x"]],"b":{"k":{}}}');
    expect(() => expand("{a}", nested)).toThrow('variable "a": a object has no text here');
    expect(() => expand("{b}", nested)).toThrow('variable "b": a object has no text here');
  });

  test("expands 200,000 members", () => {
    const a = Array.from({ length: 200_000 }, () => "x");
    expect(expand("{/a*}", { a })).toBe("/x".repeat(200_000));
  });
});
