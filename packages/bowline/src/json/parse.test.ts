import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DecodeError, LimitError, type McpError } from "../base/errors.ts";
import { JSON_LIMITS } from "../base/limits.ts";
import { parseJson } from "./parse.ts";
import { isJsonObject } from "./value.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);
const parse = (text: string) => parseJson(bytesOf(text)).value;

function refusalOf(source: Uint8Array | string, limits = JSON_LIMITS): string {
  try {
    parseJson(source, limits);
  } catch (error) {
    if (error instanceof DecodeError) return `DecodeError: ${error.message}`;
    if (error instanceof LimitError) return `LimitError: ${error.limit}`;
    throw error;
  }
  return "accepted";
}

const NOT_JSON = "DecodeError: the text is not valid JSON";
const NOT_UTF8 = "DecodeError: the text is not valid UTF-8";
const TWICE = "DecodeError: an object names a member twice";
const UNPAIRED = "DecodeError: a string holds an unpaired surrogate";
const TOO_LARGE = "DecodeError: a number is too large";

/** Writes a name as JSON, some of its units as escapes. */
const escapedName = (name: string, mask: number) =>
  `"${Array.from({ length: name.length }, (_, index) =>
    (mask >> (index % 30)) & 1
      ? `\\u${name.charCodeAt(index).toString(16).padStart(4, "0")}`
      : JSON.stringify(name[index]).slice(1, -1),
  ).join("")}"`;

/** JSON text of a value, padded with white space so that both ways to scan are taken. */
const padded = fc.tuple(fc.jsonValue(), fc.constantFrom(0, 2_000));
const jsonText = padded.map(([value, spaces]) => " ".repeat(spaces) + JSON.stringify(value));

describe("what is accepted", () => {
  test("T-01 means what JSON.parse makes of it, and stays the same written again", () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        const { value } = parseJson(bytesOf(text));
        expect(value).toEqual(JSON.parse(text));
        expect(parse(JSON.stringify(value))).toEqual(value);
        expect(parseJson(text).value).toEqual(value);
      }),
    );
  });

  test.each([
    ["null", null],
    [" true\n", true],
    ['"x"', "x"],
    ["-0.5e-3", -0.0005],
    ["[]", []],
    ['{"":{"":[1,"a:b,{[",{}]}}', { "": { "": [1, "a:b,{[", {}] } }],
    ['"\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9"', '"\\/\b\f\n\r\té'],
    ['"\\\\ud800"', "\\ud800"],
    ['{"a":{"a":1},"b":[{"a":1},{"a":2}]}', { a: { a: 1 }, b: [{ a: 1 }, { a: 2 }] }],
  ])("%s", (text, value) => {
    expect(parse(text)).toEqual(value);
  });

  test("TRANS-01 text outside ASCII comes through unchanged", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 2_000 }), (text) => {
        expect(parse(JSON.stringify({ [text]: text }))).toEqual({ [text]: text });
      }),
    );
  });
});

describe("duplicate members", () => {
  test("T-01 refuses a duplicate at any depth, one copy written with escapes", () => {
    const planted = fc.record({
      name: fc.string({ unit: "binary-ascii", maxLength: 40 }),
      mask: fc.nat(2 ** 30 - 1),
      inner: fc.array(fc.constantFrom("object", "array"), { maxLength: 30 }),
      siblings: fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 4 }),
      first: fc.jsonValue(),
      second: fc.jsonValue(),
      spaces: fc.constantFrom(0, 2_000),
    });
    fc.assert(
      fc.property(planted, ({ name, mask, inner, siblings, first, second, spaces }) => {
        const members = Object.entries(siblings)
          .filter(([sibling]) => sibling !== name)
          .map(([sibling, value]) => `${JSON.stringify(sibling)}:${JSON.stringify(value)}`);
        const twice = [
          `${JSON.stringify(name)}:${JSON.stringify(first)}`,
          ...members,
          `${escapedName(name, mask)}:${JSON.stringify(second)}`,
        ];
        const wrap = (text: string, kind: string) =>
          kind === "object" ? `{"a":1,"in":${text}}` : `[0,${text},"x"]`;
        const once = inner.reduce(wrap, `{${twice.slice(1).join(",")}}`);
        const text = inner.reduce(wrap, `{${twice.join(",")}}`) + " ".repeat(spaces);
        expect(refusalOf(bytesOf(once))).toBe("accepted");
        expect(refusalOf(bytesOf(text))).toBe(TWICE);
      }),
    );
  });

  test.each(["__proto__", "constructor", "toString", "hasOwnProperty", "0", "", "é", "\u0000"])(
    "T-01 refuses %j named twice",
    (name) => {
      const written = JSON.stringify(name);
      expect(refusalOf(`{${written}:1,${written}:2}`)).toBe(TWICE);
      expect(refusalOf(`{${written}:1,${escapedName(name, 2 ** 30 - 1)}:2}`)).toBe(TWICE);
    },
  );

  test("T-01 T-03 an enumerable member on Object.prototype neither hides a duplicate nor makes one", () => {
    const texts = ['{"a":{"planted":2},"b":[{}]}', '{"a":1,"a":2}', '{"a":{"b":1,"b":2},"c":{}}'];
    const planted = withPlanted(() => texts.map((text) => refusalOf(text)));
    expect(planted).toEqual(["accepted", TWICE, TWICE]);
    expect(texts.map((text) => refusalOf(text))).toEqual(planted);
  });
});

describe("special names", () => {
  test("T-03 __proto__ is a member like any other, and no prototype changes", () => {
    const before = Reflect.ownKeys(Object.prototype);
    const value = parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"x":1}}}');
    expect(isJsonObject(value) && Object.hasOwn(value, "__proto__")).toBe(true);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Reflect.ownKeys(Object.prototype)).toEqual(before);
    expect(Reflect.get({}, "polluted")).toBeUndefined();
  });
});

describe("limits", () => {
  const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
  const chain = (depth: number) => '{"a":'.repeat(depth) + "1" + "}".repeat(depth);

  test("T-04 accepts the deepest document allowed and refuses the next", () => {
    for (const document of [nested, chain]) {
      expect(refusalOf(document(100))).toBe("accepted");
      expect(refusalOf(document(101))).toBe("LimitError: maxJsonDepth");
    }
  });

  test("T-04 refuses any depth without recursion", () => {
    for (let depth = 1_000; depth <= 1_000_000; depth *= 10) {
      expect(refusalOf(bytesOf(nested(depth)))).toBe("LimitError: maxJsonDepth");
      expect(refusalOf(bytesOf("[".repeat(depth)))).toBe("LimitError: maxJsonDepth");
      expect(refusalOf(bytesOf(chain(depth)))).toBe("LimitError: maxJsonDepth");
    }
  });

  test("T-04 counts every value, and names the limit it refused by", () => {
    const limits = { maxJsonDepth: 5, maxJsonNodes: 6, maxJsonMembers: 3 };
    const table = [
      ["[1,2,3,4,5]", "accepted"],
      ["[1,2,3,4,5,6]", "LimitError: maxJsonNodes"],
      ["[[],{},[ ],{\n},[]]", "accepted"],
      ["[[],{},[],{},[],[]]", "LimitError: maxJsonNodes"],
      ['{"a":1,"b":2,"c":[0,0]}', "accepted"],
      ['{"a":1,"b":2,"c":3,"d":4}', "LimitError: maxJsonMembers"],
      ['["[[[[[[[[",",,,,,,,,","::::::"]', "accepted"],
      ["[[[[[1]]]]]", "accepted"],
      ["[[[[[[1]]]]]]", "LimitError: maxJsonDepth"],
    ] as const;
    for (const [text, expected] of table)
      expect([text, refusalOf(text, limits)]).toEqual([text, expected]);
    for (const [text, expected] of table) {
      expect(refusalOf(text + " ".repeat(2_000), limits)).toBe(expected);
    }
  });

  test("T-04 the default limits hold for millions of values and members", () => {
    const members = (count: number) =>
      `{${Array.from({ length: count }, (_, index) => `"${index}":0`).join(",")}}`;
    expect(refusalOf(members(65_536))).toBe("accepted");
    expect(refusalOf(members(65_537))).toBe("LimitError: maxJsonMembers");
    expect(refusalOf(`[${"0,".repeat(499_998)}0]`)).toBe("accepted");
    expect(refusalOf(`[${"0,".repeat(499_999)}0]`)).toBe("LimitError: maxJsonNodes");
    expect(refusalOf(`[${"0,".repeat(3_000_000)}0]`)).toBe("LimitError: maxJsonNodes");
  });
});

describe("numbers", () => {
  test.each(["1e400", "-1e400", "[1e309]", '{"a":[{"b":-1.8e308}]}', `1${"0".repeat(400)}`])(
    "T-05 refuses the non-finite %s",
    (text) => {
      expect(refusalOf(text)).toBe(TOO_LARGE);
    },
  );

  test.each([
    ["9007199254740991", false],
    ["-9007199254740991", false],
    ["9007199254740992", true],
    ["9007199254740993", true],
    ["-9007199254740993", true],
    ['{"a":[0,{"b":123456789012345678901234567890}]}', true],
    ["1e300", false],
    ["12345678901234567890.5", false],
    ['{"a":1e300,"b":"9007199254740993"}', false],
    ['{"a":1e300,"9007199254740993":"\\"9007199254740993"}', false],
    ['{"a":1e300,"b":9007199254740993}', true],
    ["1.7976931348623157e308", false],
  ])("T-05 tells whether an integer literal is unsafe: %s is %s", (text, expected) => {
    expect(parseJson(text).hasUnsafeInteger).toBe(expected);
  });

  test("T-05 tells whether some number is written with a fraction or an exponent", () => {
    const written = ["[1,true,false]", "[1.5]", "[1e5]", "[1E+5]", '["1.5e5"]', "[-3]"];
    expect(written.map((text) => parseJson(text).hasFraction)).toEqual([
      false,
      true,
      true,
      true,
      false,
      false,
    ]);
  });
});

describe("text", () => {
  test.each([
    ["an overlong slash", [0x22, 0xc0, 0xaf, 0x22]],
    ["an overlong NUL", [0x22, 0xe0, 0x80, 0x80, 0x22]],
    ["a surrogate in UTF-8", [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ["a pair of surrogates in UTF-8", [0x22, 0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80, 0x22]],
    ["a truncated sequence", [0x22, 0xe2, 0x82, 0x22]],
    ["a lone continuation", [0x22, 0x80, 0x22]],
    ["a code point beyond the last", [0x22, 0xf4, 0x90, 0x80, 0x80, 0x22]],
    ["Latin-1", [0x22, 0xe9, 0x22]],
  ])("T-06 refuses %s", (_name, bytes) => {
    expect(refusalOf(Uint8Array.from(bytes))).toBe(NOT_UTF8);
    expect(refusalOf(Uint8Array.from([...bytesOf(" ".repeat(2_000)), ...bytes]))).toBe(NOT_UTF8);
  });

  test("T-06 refuses a byte order mark, in each encoding", () => {
    expect(refusalOf(Uint8Array.from([0xef, 0xbb, 0xbf, 0x7b, 0x7d]))).toBe(NOT_JSON);
    expect(refusalOf("\ufeff{}")).toBe(NOT_JSON);
    expect(refusalOf(Uint8Array.from([0xff, 0xfe, 0x7b, 0, 0x7d, 0]))).toBe(NOT_UTF8);
    expect(refusalOf(Uint8Array.from([0x7b, 0, 0x7d, 0]))).toBe(NOT_JSON);
  });

  test("T-06 refuses each of the 2,048 surrogates alone, and each pair the wrong way round", () => {
    const wrong: string[] = [];
    for (let unit = 0xd800; unit <= 0xdfff; unit++) {
      const escape = `\\u${unit.toString(16)}`;
      const other = unit < 0xdc00 ? "\\udc00" : "\\ud800";
      const swapped = unit < 0xdc00 ? other + escape : escape + other;
      for (const text of [`"${escape}"`, `{"a${escape}b":[1]}`, `["${swapped}"]`, `"${escape}é"`]) {
        if (refusalOf(text) !== UNPAIRED) wrong.push(text);
        if (refusalOf(bytesOf(text)) !== UNPAIRED) wrong.push(text);
      }
    }
    expect(wrong).toEqual([]);
    expect(refusalOf('"\ud800"')).toBe(UNPAIRED);
    expect(parse('"\\ud83d\\ude00"')).toBe("😀");
  });

  test("T-06 never brings in a replacement character, whatever bytes change", () => {
    const spoiled = fc
      .tuple(jsonText, fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 }))
      .map(([text, changes]) => {
        const bytes = bytesOf(text);
        for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
        return bytes;
      });
    fc.assert(
      fc.property(spoiled, (bytes) => {
        const { text } = attempt(bytes);
        // What was read is what was sent, byte for byte.
        expect(text === undefined || Buffer.from(text).equals(bytes)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    "",
    " ",
    "{",
    "[1,]",
    '{"a":}',
    "{'a':1}",
    "nul",
    '"\n"',
    '"\\x"',
    "01",
    "1 2",
    "]",
    "[}",
    '"',
  ])("BR-001 refuses what is not JSON: %j", (text) => {
    expect(refusalOf(text)).toBe(NOT_JSON);
    expect(refusalOf(bytesOf(text + " ".repeat(2_000)))).toBe(NOT_JSON);
  });
});

describe("both ways to scan", () => {
  test("T-01 T-04 strings of any length with quotes and backslashes anywhere are skipped alike", () => {
    const piece = fc.oneof(
      {
        weight: 3,
        arbitrary: fc.constantFrom('\\"', "\\\\", "\\n", "\\u0041", ":", ",", "[", "{"),
      },
      fc.nat(1_500).map((length) => "x".repeat(length)),
    );
    const body = fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(fc.array(body, { minLength: 1, maxLength: 8 }), fc.nat(5), (bodies, spaces) => {
        const members = bodies.map((written, index) => `"${index}":["${written}"]`);
        const text = `${" ".repeat(spaces)}{${members.join(",")}}`;
        const limits = {
          maxJsonDepth: 2,
          maxJsonNodes: 1 + 2 * bodies.length,
          maxJsonMembers: bodies.length,
        };
        expect(refusalOf(bytesOf(text), limits)).toBe("accepted");
        expect(refusalOf(bytesOf(text.replace('"0":', '"0":1,"\\u0030":')))).toBe(TWICE);
      }),
      { numRuns: 300 },
    );
  });
});

interface Attempt {
  readonly text?: string;
  readonly error?: McpError;
}

function attempt(bytes: Uint8Array): Attempt {
  try {
    return { text: parseJson(bytes).text };
  } catch (error) {
    if (error instanceof DecodeError || error instanceof LimitError) return { error };
    throw error;
  }
}

/** Runs with two enumerable members on `Object.prototype`, one of which leads to itself. */
function withPlanted<T>(run: () => T): T {
  const names = ["planted", "self"];
  const root: object = Object.getPrototypeOf({});
  const property = { value: {}, enumerable: true, configurable: true, writable: true };
  for (const name of names) Object.defineProperty(root, name, property);
  try {
    return run();
  } finally {
    for (const name of names) Reflect.deleteProperty(root, name);
  }
}
