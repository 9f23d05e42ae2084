import { expect, test } from "vitest";
import { parseRequirements } from "./requirements.ts";
import { judge, type Check } from "./verdict.ts";

const YAML = `# prose
server:
  - tools-list
  - caching

client:
  - tools_call

not_scored:
  - scenario: json-schema-2020-12
    leg: server
    reason: pending
  - scenario: auth/dpop
    leg: client
    reason: extension
`;
const ok: Check = { id: "a", status: "SUCCESS" };
const warning: Check = { id: "b", status: "WARNING", errorMessage: "should" };
const skipped: Check = { id: "c", status: "SKIPPED", errorMessage: "later" };
const invalid: Check = { id: "wire-schema-valid", status: "FAILURE", errorMessage: "stray field" };
const one = { scored: ["caching"], unscored: new Map<string, string>() };
const judged = (checks: readonly Check[], expected: Record<string, string> = {}) =>
  judge(one, new Map([["caching", checks]]), expected).map((v) => [v.scenario, v.outcome]);

test("requirements are read per side, with the reasons of what is not scored", () => {
  expect(parseRequirements(YAML, "server")).toEqual({
    scored: ["tools-list", "caching"],
    unscored: new Map([["json-schema-2020-12", "pending"]]),
  });
  expect(parseRequirements(YAML, "client")).toEqual({
    scored: ["tools_call"],
    unscored: new Map([["auth/dpop", "extension"]]),
  });
});

test("a requirement file without scenarios for the side is refused", () => {
  expect(() => parseRequirements("client:\n  - x\n", "server")).toThrow("no server scenarios");
});

test("a warning counts as a failure, a skipped check decides nothing", () => {
  expect(judged([ok, skipped])).toEqual([["caching", "passed"]]);
  expect(judged([ok, warning])).toEqual([["caching", "failed"]]);
  expect(judged([skipped])).toEqual([["caching", "skipped"]]);
});

test("a scenario the referee did not report on has failed", () => {
  expect(judged([])).toEqual([["caching", "failed"]]);
});

test("an expected failure may fail, must not pass, and must still send valid messages", () => {
  const expected = { caching: "not built" };
  expect(judged([ok, warning], expected)).toEqual([["caching", "expected failure"]]);
  expect(judged([ok], expected)).toEqual([["caching", "failed"]]);
  expect(judged([warning, invalid], expected)).toEqual([["caching", "failed"]]);
});

test("an expected failure that no scenario bears is an error", () => {
  expect(judged([ok], { gone: "renamed" })).toEqual([
    ["caching", "passed"],
    ["gone", "failed"],
  ]);
});
