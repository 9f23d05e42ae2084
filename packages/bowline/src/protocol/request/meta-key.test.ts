import { expect, test } from "vitest";
import { isMetaKey } from "./meta-key.ts";

test.each([
  "progressToken",
  "a",
  "A1",
  "a-b_c.d",
  "com.example/name",
  "c/",
  "x-y.z9/a",
  "com.example/0",
])("META-07 %s is a key", (key) => {
  expect(isMetaKey(key)).toBe(true);
});

test.each(["/a", ".com/a", "com./a", "com..example/a", "com.example//a", "a/b/c", "com example/a"])(
  "META-02 %s has no prefix of dot-separated labels",
  (key) => {
    expect(isMetaKey(key)).toBe(false);
  },
);

test.each(["1com/a", "-com/a", "com-/a", "com.9x/a", "com.x-/a", "cöm/a", "co_m/a"])(
  "META-03 %s has a label that does not start with a letter or not end with a letter or digit",
  (key) => {
    expect(isMetaKey(key)).toBe(false);
  },
);

test.each(["-a", "a-", ".a", "a.", "_a", "com.example/_a", "com.example/a_", "a b", "é", "a\n"])(
  "META-06 %j has a name that does not start and end with a letter or digit",
  (key) => {
    expect(isMetaKey(key)).toBe(false);
  },
);

test("META-06 a key has an end", () => {
  expect([isMetaKey("a".repeat(256)), isMetaKey("a".repeat(257))]).toEqual([true, false]);
});
