import { Check, Compile, Errors } from "typebox/schema";
import type { EngineSchema, Program } from "./program.ts";

/** The seam to the library that runs a program. */
export interface EngineValidator {
  /** The library could not generate code here, and interprets: correct, and slower. */
  readonly isInterpreted: boolean;
  check(value: unknown): boolean;
  /** What is wrong with a value that failed. */
  explain(value: unknown): readonly EngineFault[];
}

export interface EngineFault {
  readonly keyword: string;
  /** JSON Pointer into the value. */
  readonly instancePath: string;
  readonly message: string;
  readonly params: object;
}

export function runProgram(program: Program): EngineValidator {
  const definitions: Record<string, EngineSchema> = program.definitions;
  // With a `$schema` the library does not look for resources of older drafts around a reference.
  const root: EngineSchema =
    typeof program.root === "boolean" ? program.root : { $schema: "", ...program.root };
  const validator = Compile(definitions, root);
  const isInterpreted = !validator.IsAccelerated();
  return {
    isInterpreted,
    // Interpreting, a validator keeps what it evaluated from one value to the next.
    check: isInterpreted
      ? (value) => Check(definitions, root, value)
      : (value) => validator.Check(value),
    explain: (value) => Errors(definitions, root, value)[1],
  };
}
