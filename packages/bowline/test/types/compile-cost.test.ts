import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createUserProject, type UserProject } from "./compile-cost.ts";
import {
  added,
  ARKTYPE,
  chained,
  clientOf,
  JSON_SCHEMA,
  TYPEBOX,
  VALIBOT,
  ZOD,
} from "./large-servers.ts";

const TOOLS = 200;
const MAX_MEMORY_BYTES = 600 * 1024 * 1024;
const SLOW = 120_000;

interface Budget {
  readonly instantiations: number;
  readonly declarationBytes: number;
}

let project: UserProject;
beforeAll(async () => {
  project = await createUserProject();
}, SLOW);
afterAll(() => project.remove());

/**
 * What depends on our types and not on the machine. A compiler that gives up (TS2589, TS7056) says so
 * among the errors.
 */
async function expectWithin(name: string, source: string, budget: Budget): Promise<void> {
  const compilation = await project.compile(name, source);
  expect(compilation.errors).toBe("");
  const { instantiations, declarationBytes, memoryBytes } = compilation;
  expect(instantiations).toBeLessThanOrEqual(budget.instantiations);
  expect(declarationBytes).toBeGreaterThan(0);
  expect(declarationBytes).toBeLessThanOrEqual(budget.declarationBytes);
  expect(memoryBytes).toBeLessThanOrEqual(MAX_MEMORY_BYTES);
}

describe.sequential("BR-055 a server of 200 tools compiles within its budget", () => {
  test.each([
    ["zod, chained", "zod-chained", chained(ZOD, TOOLS), 1_000_000],
    ["zod, defined and added", "zod-added", added(ZOD, TOOLS), 800_000],
    ["arktype, chained", "arktype", chained(ARKTYPE, TOOLS), 3_300_000],
    ["valibot, chained", "valibot", chained(VALIBOT, TOOLS), 2_000_000],
    ["TypeBox, chained", "typebox", chained(TYPEBOX, TOOLS), 800_000],
    ["JSON Schema, chained", "json", chained(JSON_SCHEMA, TOOLS), 700_000],
  ] as const)(
    "%s",
    async (_, name, source, instantiations) => {
      await expectWithin(name, source, { instantiations, declarationBytes: 160_000 });
    },
    SLOW,
  );

  test(
    "a client that imports the declarations of such a server knows every tool",
    async () => {
      await expectWithin("zod-client", clientOf("zod-chained"), {
        instantiations: 50_000,
        declarationBytes: 1_000,
      });
    },
    SLOW,
  );
});
