import { array, assert, constantFrom, oneof, option, property, string, tuple } from "fast-check";
import { describe, expect, test } from "vitest";
import { MAX_URI_TEMPLATE_EXPRESSIONS } from "../base/limits.ts";
import type { TemplateMatch } from "./capture.ts";
import { expandUriTemplate } from "./expand.ts";
import { matchUriTemplate } from "./match.ts";
import { parseUriTemplate } from "./template.ts";

function match(template: string, uri: string): TemplateMatch | undefined {
  return matchUriTemplate(parseUriTemplate(template), uri);
}

function values(members: Record<string, string | readonly string[]>): TemplateMatch {
  return Object.assign(Object.create(null), members);
}

describe("matchUriTemplate", () => {
  test.each([
    ["config://app", "config://app", {}],
    ["notes/{id}", "notes/7", { id: "7" }],
    ["notes/{id}", "notes/a-b_c.d~e", { id: "a-b_c.d~e" }],
    ["notes/{id}/edit", "notes/7/edit", { id: "7" }],
    ["city://{country}/{name}", "city://no/oslo", { country: "no", name: "oslo" }],
    ["{x,y}", "1,2", { x: "1", y: "2" }],
    ["file:///{+path}", "file:///a/b?c#d", { path: "a/b?c#d" }],
    ["{+x,y}", "a/b,c/d", { x: "a/b", y: "c/d" }],
    ["page{#part}", "page#a/b", { part: "a/b" }],
    ["page{#a,b}", "page#1,2", { a: "1", b: "2" }],
    ["v{.major,minor}", "v.1.2", { major: "1", minor: "2" }],
    ["x{/a,b}", "x/1/2", { a: "1", b: "2" }],
    ["x{/a*}", "x/1//2", { a: ["1", "", "2"] }],
    ["x{/a*}", "x", { a: [] }],
    ["x{/a*}", "x/", { a: [""] }],
    ["x{.a*}", "x.1.2", { a: ["1", "2"] }],
    ["x{a*}", "x1,2", { a: ["1", "2"] }],
    ["x{a*}", "x", { a: [] }],
    ["x{+a*}", "x/1,/2", { a: ["/1", "/2"] }],
    ["x{#a*}", "x#1,/2", { a: ["1", "/2"] }],
    ["x{#a*}", "x", { a: [] }],
    ["{a*,b}", "1,2,3", { a: ["1", "2"], b: "3" }],
    ["{a*,b}", ",3", { a: [""], b: "3" }],
    ["{/a*,b}", "/1/2/3", { a: ["1", "2"], b: "3" }],
    ["{/a*,b}", "/3", { a: [], b: "3" }],
    ["x{;a,b}", "x;a=1;b", { a: "1", b: "" }],
    ["x{;a*}", "x;a;a=1", { a: ["", "1"] }],
    ["café/{a}", "caf%C3%A9/x", { a: "x" }],
    ["{?Stra%C3%9Fe}", "?Stra%C3%9Fe=1", { "Stra%C3%9Fe": "1" }],
  ])("%s takes %s", (template, uri, expected) => {
    expect(match(template, uri)).toEqual(values(expected));
  });

  test.each([
    ["x{?a,b}", "x?a=1&b=2", { a: "1", b: "2" }],
    ["x{?a,b}", "x?b=1&a=2", { a: "2", b: "1" }],
    ["x{?a,b}", "x?b=1", { b: "1" }],
    ["x{?a,b}", "x", {}],
    ["x{?a}", "x?a=", { a: "" }],
    ["x{?a*}", "x?a=1&a=2", { a: ["1", "2"] }],
    ["x{?a*,b}", "x?a=1&b=3&a=2", { a: ["1", "2"], b: "3" }],
    ["x?fixed=1{&a,b}", "x?fixed=1&b=2", { b: "2" }],
    ["x{?a}{&b}", "x?b=2&a=1", { a: "1", b: "2" }],
    ["x{?a}{&b}", "x&b=2", { b: "2" }],
    ["x{?a}{&b}", "x?a=1", { a: "1" }],
    ["note://{id}{?v}", "note://7", { id: "7" }],
    ["note://{id}{?v}", "note://7?v=2", { id: "7", v: "2" }],
    ["x{/path*}{?q}", "x/a/b?q=1", { path: ["a", "b"], q: "1" }],
    ["x{/path*}{?q}", "x?q=1", { path: [], q: "1" }],
    ["{+path}{?q,r*}", "a/b?r=1&q=2&r=3", { path: "a/b", q: "2", r: ["1", "3"] }],
    ["{+path}{?q}{#part}", "a/b?q=1#c", { path: "a/b", q: "1", part: "c" }],
    ["{+path}{&q}", "a&q=1&q=2", { path: "a&q=1", q: "2" }],
    ["{+path}{?q}", "a?other=1", { path: "a?other=1" }],
    ["{name}.md{?v}", "a.md.md?v=1", { name: "a.md", v: "1" }],
    ["{name}.md{?v}", "a.md.md", { name: "a.md" }],
    ["{id}{;m}{?q}/x", "7;m=1?q=2/x", { id: "7", m: "1", q: "2" }],
  ])("parameters are optional and stand in any order: %s takes %s", (template, uri, expected) => {
    expect(match(template, uri)).toEqual(values(expected));
  });

  test.each([
    ["notes/{id}", "notes/"],
    ["notes/{id}", "notes/7/8"],
    ["notes/{id}", "notes/7?x=1"],
    ["notes/{id}", "notes/7#x"],
    ["notes/{id}", "notes/a,b"],
    ["notes/{id}", "notes/a@b"],
    ["notes/{id}", "Notes/7"],
    ["notes/{id}", "xnotes/7"],
    ["notes/{id}", "notes"],
    ["notes/{id}", ""],
    ["notes/{id}/edit", "notes/edit"],
    ["config://app", "config://app2"],
    ["config://app", "config://ap"],
    ["", "x"],
    ["{+path}", ""],
    ["{+path}", "a b"],
    ["{+path}", "a\\b"],
    ["{+path}", "a\u0000b"],
    ["{+path}", "é"],
    ["{id}", "é"],
    ["{id}", "a b"],
    ["{x,y}", "1"],
    ["{x,y}", "1,2,3"],
    ["x{/a}", "x"],
    ["x{/a*}", "xy"],
    ["x{/a*}", "x/a,b"],
    ["x{?a}", "x?"],
    ["x{?a}", "x?a"],
    ["x{?a}", "x&a=1"],
    ["x{?a}", "x?b=1"],
    ["x{?a}", "x?a=1&a=2"],
    ["x{?a}", "x?a=1&"],
    ["x{?a}", "x?a=1=2"],
    ["x{?a}", "x?a=1#b"],
    ["x{?a}", "x?a=b/c"],
    ["x{?a}", "x?A=1"],
    ["x{?a}{&b}", "x?b=1"],
    ["x{?a}{&b}", "x&a=1"],
    ["x{;a}", "x;a="],
    ["x{;a}", "x;ab"],
  ])("%s does not take %j", (template, uri) => {
    expect(match(template, uri)).toBeUndefined();
  });

  test.each([
    ["{a}", "%2F%20%C3%A9%f0%9f%98%80", "/ é😀"],
    ["{a}", "%2525", "%25"],
    ["{a}", "%41%2e%00", "A.\u0000"],
    ["{+a}", "/b%20%C3%A9", "/b é"],
    ["{+a}", "a%2Fb%2fc%5B%5d", "a%2Fb%2fc%5B%5d"],
    ["{+a}", "..%5c%2e%2e", "..\\.."],
    ["{+a}", "100%25", "100%"],
    ["{+a}", "%252F%2541%25", "%252F%2541%"],
  ])("decodes once: %s takes %s as %j", (template, uri, a) => {
    expect(match(template, uri)).toEqual(values({ a }));
  });

  test.each([
    "%",
    "a%2",
    "%zz",
    "%C3",
    "%C3x",
    "%C0%80",
    "%ED%A0%80",
    "%F5%80%80%80",
    "%80",
    "%%2F",
  ])("%j is no match: not triplets, or not UTF-8", (text) => {
    expect(["{a}", "{+a}", "{a*}", "{+a*}"].map((template) => match(template, text))).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(match("{?a}", `?a=${text}`)).toBeUndefined();
  });

  test.each([
    ["{a}.{b}", "x.y.z", { a: "x", b: "y.z" }],
    ["{a}-x", "p-x-x", { a: "p-x" }],
    ["{+path}/{name}", "a/b/c", { path: "a/b", name: "c" }],
    ["{+path}/{name}.{ext}", "a/b/c.d.e", { path: "a/b", name: "c", ext: "d.e" }],
    ["{host}/{+path}.md", "h/a.md/b.md", { host: "h", path: "a.md/b" }],
    ["r/{o}/{+path}/at/{rev}", "r/o/a/at/b/at/3", { o: "o", path: "a/at/b", rev: "3" }],
    ["x{/path*}/rev/{id}", "x/rev/rev/3", { path: ["rev"], id: "3" }],
    ["{+a}/x/{+b}", "1/x/2/x/3", { a: "1", b: "2/x/3" }],
    ["{name}{.ext*}", "a.b.c", { name: "a", ext: ["b", "c"] }],
    ["{a}{b}", "%C3%A9bc", { a: "é", b: "bc" }],
    ["{+a}{b}", "x/%C3%A9", { a: "x/", b: "é" }],
    ["{hash:2}{rest}", "abcdef", { hash: "ab", rest: "cdef" }],
  ])("cuts by one rule where there is a choice: %s takes %s", (template, uri, expected) => {
    expect(match(template, uri)).toEqual(values(expected));
  });

  test.each([
    ["{a}/{a}", "1/1", { a: "1" }],
    ["{a}/{a}", "1/%31", { a: "1" }],
    ["{a:1}/{a}", "f/foo", { a: "foo" }],
    ["{a}/{a:2}", "f/f", { a: "f" }],
    ["{a:1}/{a:3}", "f/foo", { a: "foo" }],
    ["{a:2}", "%F0%9F%98%80x", { a: "😀x" }],
    ["{/a*}#{/a*}", "/1/2#/1/2", { a: ["1", "2"] }],
  ])("mentions of one variable agree: %s takes %s", (template, uri, expected) => {
    expect(match(template, uri)).toEqual(values(expected));
  });

  test.each([
    ["{a}/{a}", "1/2"],
    ["{a:1}/{a}", "g/foo"],
    ["{a:1}/{a:3}", "g/foo"],
    ["{a:2}", "abc"],
    ["{a:1}", "%F0%9F%98%80x"],
    ["{?a:2}", "?a=abc"],
    ["{/a*}#{/a*}", "/1/2#/1"],
    ["{a}#{/a*}", "1#/1"],
  ])("mentions of one variable that disagree are no match: %s, %s", (template, uri) => {
    expect(match(template, uri)).toBeUndefined();
  });

  test("names like __proto__ and constructor are plain data", () => {
    const found = match("{__proto__}/{constructor}{?toString}", "p/c?toString=t");
    expect(Object.getPrototypeOf(found)).toBeNull();
    expect(Object.entries(found ?? {})).toEqual([
      ["__proto__", "p"],
      ["constructor", "c"],
      ["toString", "t"],
    ]);
    expect(match("x{?a}", "x?__proto__=1")).toBeUndefined();
    expect(match("x{?a}", "x?constructor=1")).toBeUndefined();
  });
});

/** Anything worse than linear takes minutes at these sizes and runs into the time limit of the test. */
describe("BR-064 T-66 matching is linear", { timeout: 30_000 }, () => {
  const PARTS = 50_000;
  const MANY = 2 * PARTS;
  const indexes = Array.from({ length: MAX_URI_TEMPLATE_EXPRESSIONS }, (_, index) => index);

  test.each(["{/a*}", "{?a*}", "{a*}", "{+a*}", "{;a*}{?b*}", "{/a*}{?b*}", "{a*,b*,c*}"])(
    "%s against parts that end in a failing character",
    (template) => {
      for (const part of [",x", "/x", "&a=x", ";a", "%2C", "?a=x", "."]) {
        const text = part.repeat(MANY);
        for (const uri of [`${text} `, `/${text}\n`, `?a=1${text}{`, `x${text}^`]) {
          expect(match(template, uri)).toBeUndefined();
        }
      }
    },
  );

  test("50,000 parts that do match", () => {
    const parts = Array.from({ length: PARTS }, (_, index) => `p${index}`);
    expect(match("{a*}", parts.join(","))).toEqual(values({ a: parts }));
    expect(match("{/a*}", `/${parts.join("/")}`)).toEqual(values({ a: parts }));
    expect(match("{?a*}", `?a=${parts.join("&a=")}`)).toEqual(values({ a: parts }));
    expect(match("{+x}{?a*}", `y?a=${parts.join("&a=")}`)).toEqual(values({ x: "y", a: parts }));
  });

  test.each([
    ["{v#}", ""],
    ["{v#}", "-"],
    ["{v#}", ","],
    ["{+v#}", ""],
    ["{+v#}", "-"],
    ["{+v#}", "/x/"],
    ["{v#*}", ""],
    ["{v#*}", "/"],
    ["{/v#*}", ""],
    ["{/v#*}", "-"],
    ["{.v#*}", ""],
    ["{?v#}", ""],
    ["{&v#}", ""],
    ["{;v#}", "/"],
    ["{?v#*}", "-"],
    ["{#v#}", ""],
    ["{v#}{;w#}{?x#}", ""],
    ["{+v#}{;w#}{?x#}", ""],
    ["{;v#}{?w#}", ""],
    ["{?v#}{;w#}", ""],
    ["{v#:9999}", ""],
  ])("1,000 expressions %s joined by %j", (expression, literal) => {
    const per = expression.split("{").length - 1;
    const template = indexes
      .slice(0, Math.floor(indexes.length / per))
      .map((index) => expression.replaceAll(/([vwx])#/g, `$1${index}`))
      .join(literal);
    for (const part of [
      "-",
      "x",
      "x-",
      "x,",
      "/x",
      "/x/",
      "?v1=x",
      "&v1=x",
      ";v1",
      ".x",
      "#",
      "%20",
    ]) {
      expect(match(template, `${part.repeat(PARTS)} `)).toBeUndefined();
    }
  });

  test("1,000 expressions that match", () => {
    const template = indexes.map((index) => `{v${index}}`).join("-");
    const uri = indexes.map((index) => `${index}`).join("-");
    const expected = Object.fromEntries(indexes.map((index) => [`v${index}`, `${index}`]));
    expect(match(template, uri)).toEqual(values(expected));
  });
});

/** A piece of a template: its text, what it takes, and some text it may take. */
type Piece = readonly [template: string, takes: string, sample: readonly string[]];

const ATOM = "(?:[\\w.~-]|%2F|%41)";
const ANY = "(?:[\\w.~:/?#[\\]@!$&'()*+,;=-]|%2F|%41)";

const literal = constantFrom<Piece>(
  ...["/", "-", "x", "x-", ":", "-x/", ","].map((text): Piece => [text, text, [text]]),
);
const narrow = constantFrom<Piece>(
  ["{N}", `${ATOM}+`, ["x", "-x", "%41", "x."]],
  ["{/N}", `/${ATOM}+`, ["/x", "/-", "/%2F"]],
  ["{.N}", `\\.${ATOM}+`, [".x", "..x"]],
  ["{N,M}", `${ATOM}+,${ATOM}+`, ["x,x", "-,%41"]],
  ["/{N:2}/", `/${ATOM}{1,2}/`, ["/x/", "/x%2F/", "/xxx/"]],
);
const list = constantFrom<Piece>(
  ["{/N*}", `(?:/${ATOM}*)*`, ["", "/", "/x", "/x//-"]],
  ["{.N*}", `(?:\\.${ATOM}*)?`, ["", ".", ".x.x"]],
  ["{N*}", `${ATOM}*(?:,${ATOM}*)*`, ["", ",", "x,-"]],
  ["{/N*,M}", `(?:/${ATOM}*)*/${ATOM}+`, ["/x", "/x/x"]],
  ["{N*,M}", `(?:${ATOM}*,)+${ATOM}+`, [",x", "x,-,x"]],
);
const reserved = constantFrom<Piece>(
  ["{+N}", `${ANY}+`, ["x", "/x-", "?x=x", "%2F,"]],
  ["{#N}", `#${ANY}+`, ["#x", "#/x-"]],
  ["{+N,M}", `${ANY}+,${ANY}+`, ["x,/", "/,-"]],
  ["{+N*}", `${ANY}*`, ["", "/,x"]],
);
const parameters = constantFrom<Piece>(
  [
    "{?N,M}",
    `(?:\\?(?:N=${ATOM}*(?:&M=${ATOM}*)?|M=${ATOM}*(?:&N=${ATOM}*)?))?`,
    ["", "?N=x&M=", "?M=-&N=%2F", "?M=-&M=x", "?x"],
  ],
  [
    "{?N}{&M*}",
    `(?:\\?(?:M=${ATOM}*&)*N=${ATOM}*(?:&M=${ATOM}*)*|(?:&M=${ATOM}*)+)?`,
    ["", "?N=x&M=", "&M=x", "?M=-&N=%2F&M=x", "?M=x", "&N=x"],
  ],
  ["{;N}", `(?:;N(?:=${ATOM}+)?)?`, ["", ";N", ";N=x", ";N="]],
  ["{&N*}", `(?:&N=${ATOM}*)*`, ["", "&N=x", "&N=x&N=", "&x"]],
);

const around = array(oneof(narrow, literal), { maxLength: 4 });
const noise = array(constantFrom("x", "-", "/", ".", ",", "?", "%41", "&", ";"), { maxLength: 12 });

/** A template with names of its own for each variable, the language it takes, and a URI to try. */
function assemble(pieces: readonly Piece[], picks: readonly number[]) {
  const parts = pieces.map(([template, takes, sample], index) =>
    [template, takes, sample[(picks[index] ?? 0) % sample.length] ?? ""].map((text) =>
      text.replaceAll("N", `n${index}`).replaceAll("M", `m${index}`),
    ),
  );
  const [template = "", takes = "", uri = ""] = [0, 1, 2].map((column) =>
    parts.map((part) => part[column]).join(""),
  );
  return { template, takes: new RegExp(`^${takes}$`), uri };
}

/** Whether only trying could tell where the wide variable starts or ends. */
function isUnmarked(head: readonly Piece[], wide: Piece | undefined, tail: readonly Piece[]) {
  if (wide === undefined) return false;
  const isUnreserved = ([text]: Piece) => /^(?:[-x]+$|\{\.)/.test(text);
  const before = head.slice(1 + head.findLastIndex(([text]) => text.includes("{")));
  const [after] = tail;
  if (after?.[0].startsWith("{N")) return true;
  const hasLead = /^\{[./]/.test(wide[0]);
  const isAfterUnreserved = before.length > 0 && before.every(isUnreserved);
  return hasLead && (isAfterUnreserved || (after !== undefined && isUnreserved(after)));
}

const picks = array(constantFrom(0, 1, 2, 3, 4, 5), { minLength: 12, maxLength: 12 });

/** Parameters are last: in front of a literal a value may end with its text, and where depends on their order. */
const anyPieces = tuple(
  array(oneof(literal, narrow, list, reserved), { maxLength: 6 }),
  array(parameters, { maxLength: 1 }),
).map((both) => both.flat());

describe("T-66 properties", { timeout: 30_000 }, () => {
  const RUNS = { numRuns: 1_000 };

  test("a template with at most one wide variable takes exactly what it can expand to", () => {
    const wide = option(oneof(list, reserved), { nil: undefined });
    const query = option(parameters, { nil: undefined });
    assert(
      property(tuple(around, wide, around, query, picks, noise), (drawn) => {
        const [head, middle, tail, last, chosen, random] = drawn;
        // Text that reads as parameters of the template is never part of a reserved variable.
        const isReserved = middle !== undefined && /^\{[+#]/.test(middle[0]);
        const pieces = [...head, ...(middle ? [middle] : []), ...tail];
        if (isUnmarked(head, middle, tail)) return;
        if (last !== undefined && !isReserved) pieces.push(last);
        const { template, takes, uri } = assemble(pieces, chosen);
        for (const text of [uri, random.join("")]) {
          expect([template, text, match(template, text) !== undefined]).toEqual([
            template,
            text,
            takes.test(text),
          ]);
        }
      }),
      RUNS,
    );
  });

  test("what a match returns expands to an equivalent URI, whatever the template", () => {
    // Parameters may change places: the same characters, and the same values again.
    const canonical = (uri: string) => uri.replaceAll("%41", "A").split("").toSorted();
    assert(
      property(anyPieces, picks, (pieces, chosen) => {
        const { template, uri } = assemble(pieces, chosen);
        const found = match(template, uri);
        if (found === undefined) return;
        const again = expandUriTemplate(parseUriTemplate(template), found);
        expect([template, uri, canonical(again)]).toEqual([template, uri, canonical(uri)]);
        expect([template, uri, match(template, again)]).toEqual([template, uri, found]);
      }),
      RUNS,
    );
  });

  const anyText = string({ unit: "binary" });
  const text = string({ unit: "binary", minLength: 1 });
  const reservedText = oneof(text, string({ minLength: 1 })).filter(
    (value) => !/%[\dA-Fa-f]{2}/.test(value),
  );
  const members = array(anyText);
  const absent = { nil: undefined };

  test("a match gives back the values of the expansion", () => {
    const template = parseUriTemplate("x://{a}/{b,c}{.d}{/list*}{;m}{?q,r*}{&s}{#f}");
    const optional = option(anyText, absent);
    assert(
      property(
        tuple(text, text, text, members, optional, optional, members, optional, reservedText),
        ([a, b, c, path, m, q, r, s, f]) => {
          const given = { a, b, c, d: a.replaceAll(".", ""), list: path, m, q, r, s, f };
          if (given.d === "" || c.includes(".")) return;
          const expected = Object.entries(given).filter(
            ([name, value]) => value !== undefined && (name !== "r" || value.length > 0),
          );
          expect(matchUriTemplate(template, expandUriTemplate(template, given))).toEqual(
            Object.assign(Object.create(null), Object.fromEntries(expected)),
          );
        },
      ),
      { numRuns: 200 },
    );
  });

  test("{+path} gives back every value that holds no triplets", () => {
    const template = parseUriTemplate("file:///{+path}");
    assert(
      property(reservedText, (path) => {
        const uri = expandUriTemplate(template, { path });
        expect(matchUriTemplate(template, uri)).toEqual(values({ path }));
      }),
    );
  });

  test("any text is answered, whatever the template", () => {
    assert(
      property(anyPieces, picks, anyText, (pieces, chosen, uri) => {
        const { template } = assemble(pieces, chosen);
        const found = match(template, uri);
        if (found === undefined) return;
        const again = expandUriTemplate(parseUriTemplate(template), found);
        expect([template, match(template, again)]).toEqual([template, found]);
      }),
    );
  });
});
