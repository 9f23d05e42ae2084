import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { acceptableTo, isJson, type Acceptable } from "./media-type.ts";

const NEITHER: Acceptable = { json: false, eventStream: false };
const BOTH: Acceptable = { json: true, eventStream: true };
const JSON_ONLY: Acceptable = { json: true, eventStream: false };
const STREAM_ONLY: Acceptable = { json: false, eventStream: true };

describe("Accept", () => {
  test.each<[string | undefined, Acceptable]>([
    [undefined, BOTH],
    ["application/json, text/event-stream", BOTH],
    ["text/event-stream,application/json", BOTH],
    ["*/*", BOTH],
    ["application/json", JSON_ONLY],
    ["text/event-stream", STREAM_ONLY],
    ["application/*", JSON_ONLY],
    ["text/*", STREAM_ONLY],
    ["APPLICATION/JSON, Text/Event-Stream", BOTH],
    ["application/json;q=0.5, text/event-stream;q=0.1", BOTH],
    ["application/json;q=0", NEITHER],
    ["application/json;q=0, */*", STREAM_ONLY],
    ["*/*;q=0, application/json", JSON_ONLY],
    ["text/html, application/xhtml+xml", NEITHER],
    ["text/html, */*;q=0.1", BOTH],
    ["application/json; q=0.000", NEITHER],
    ["application/json;q=1.000", JSON_ONLY],
    ["application/json;q=2", NEITHER],
    ["application/json;q=-1", NEITHER],
    ["application/json;charset=utf-8", JSON_ONLY],
    ["application/json;charset=latin1", NEITHER],
    ["application/json;version=1", NEITHER],
    ["application/jsonx", NEITHER],
    ["x-application/json", NEITHER],
    ["application/json-seq", NEITHER],
    ['text/html;note="application/json, text/event-stream"', NEITHER],
    ['application/json;note="a,b";q=0, text/event-stream', STREAM_ONLY],
    ["", NEITHER],
    [",,", NEITHER],
    [",application/json,", JSON_ONLY],
    ["application", NEITHER],
    ["/", NEITHER],
    ["application/json text/event-stream", NEITHER],
  ])("BR-018 %j accepts %o", (accept, acceptable) => {
    expect(acceptableTo(accept)).toEqual(acceptable);
  });
});

describe("Content-Type", () => {
  test.each([
    "application/json",
    "application/json; charset=utf-8",
    "application/json;charset=UTF-8",
    'application/json; charset="utf-8"',
    "Application/JSON",
    "application/json; profile=x; charset=utf-8",
    "application/json ;charset=utf-8",
    "application/json;",
    'application/json; note="a;b,\\"c\\""',
  ])("BR-019 %j is read", (value) => {
    expect(isJson(value)).toBe(true);
  });

  test.each([
    undefined,
    "",
    "text/plain",
    "text/plain; note=application/json",
    "text/plain, application/json",
    "application/json, text/plain",
    "application/json; charset=latin1",
    "application/json; charset=utf-16",
    "application/json; charset=utf-8; charset=latin1",
    "application/json; charset",
    "application/json charset=utf-8",
    "application/jsonp",
    "application/json+x",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    'application/json; note="open',
    "application/json; charset=\u00fctf-8",
  ])("T-20 BR-019 %j is not read", (value) => {
    expect(isJson(value)).toBe(false);
  });
});

describe("both", () => {
  test("any text is judged, long ones in linear time", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(typeof isJson(text)).toBe("boolean");
        expect(typeof acceptableTo(text).json).toBe("boolean");
      }),
    );
    for (const piece of [" ", ";", "\t;", ",", '"', '\\"', "a/b,", "a=b;", 'a="b";']) {
      const long = `application/json;${piece.repeat(100_000)}x`;
      expect(typeof isJson(long)).toBe("boolean");
      expect(typeof acceptableTo(long).json).toBe("boolean");
    }
  });
});
