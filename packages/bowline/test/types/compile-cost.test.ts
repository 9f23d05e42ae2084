import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createUserProject, type UserProject } from "./compile-cost.ts";
import {
  added,
  ARKTYPE,
  chained,
  clientOf,
  everyKind,
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
 * What a compilation takes too much of, in figures that depend on our types and not on the machine. A
 * compiler that gives up (TS2589, TS7056) says so among its errors.
 */
async function overruns(name: string, source: string, budget: Budget): Promise<readonly string[]> {
  const compilation = await project.compile(name, source);
  const { errors, instantiations, declarationBytes, memoryBytes } = compilation;
  return [
    errors,
    instantiations > budget.instantiations ? `${instantiations} instantiations` : "",
    declarationBytes > budget.declarationBytes ? `${declarationBytes} bytes of declarations` : "",
    declarationBytes === 0 ? "no declarations" : "",
    memoryBytes > MAX_MEMORY_BYTES ? `${memoryBytes} bytes of memory` : "",
  ].filter((overrun) => overrun !== "");
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
      const budget = { instantiations, declarationBytes: 160_000 };
      expect(await overruns(name, source, budget)).toEqual([]);
    },
    SLOW,
  );

  test(
    "a client that imports the declarations of such a server knows every tool",
    async () => {
      const budget = { instantiations: 50_000, declarationBytes: 1_000 };
      expect(await overruns("zod-client", clientOf("zod-chained"), budget)).toEqual([]);
    },
    SLOW,
  );
});

test(
  "declarations of servers and clients of every kind need no name that is not public",
  async () => {
    const budget = { instantiations: 50_000, declarationBytes: 4_000 };
    expect(await overruns("every-kind", everyKind, budget)).toEqual([]);
  },
  SLOW,
);
