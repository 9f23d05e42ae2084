import { describe, expect, test } from "vitest";
import {
  decodeBase64Url,
  encodeBase64,
  encodeBase64Url,
  encodePortably,
  isBase64,
} from "./base64.ts";

const bytesOf = (length: number) => Uint8Array.from({ length }, (_, index) => (index * 89) % 256);

describe("encoding", () => {
  test.each([0, 1, 2, 3, 4, 255, 0x7ffd, 0x7ffe, 0x7fff, 100_000])(
    "RSRC-31 %d bytes are encoded as the platform does",
    (length) => {
      const bytes = bytesOf(length);
      const expected = Buffer.from(bytes).toString("base64");
      expect(encodeBase64(bytes)).toBe(expected);
      expect(encodePortably(bytes)).toBe(expected);
      expect(isBase64(expected)).toBe(true);
      expect(encodeBase64Url(bytes)).toBe(Buffer.from(bytes).toString("base64url"));
      expect(decodeBase64Url(encodeBase64Url(bytes))).toEqual(bytes);
    },
  );

  test("RSRC-31 a part of a buffer is encoded alone", () => {
    const part = bytesOf(10).subarray(3, 7);
    expect(encodeBase64(part)).toBe(Buffer.from(part).toString("base64"));
  });
});

describe("checks", () => {
  test.each(["a", "ab", "abc", "abc=d", "a===", "ab c", "ab\n", "ab-_", "äbcd", "abcde==="])(
    "RSRC-31 %j is no Base64",
    (text) => {
      expect(isBase64(text)).toBe(false);
    },
  );

  test.each(["a", "ab=", "ab==", "a+b/", "ä", " ab", "ab\n", "YR", "YWJ"])(
    "T-67 %j is not how Base64 for URLs is written",
    (text) => {
      expect(decodeBase64Url(text)).toBeUndefined();
    },
  );
});
