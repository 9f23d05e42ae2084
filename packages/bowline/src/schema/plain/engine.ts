import { Check, Compile, Errors } from "typebox/schema";
import type { EngineObject, EngineSchema, Program } from "./program.ts";

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

/**
 * `named` is compiled where code may be generated. `linked` is interpreted: where it may not, and to explain
 * a failure; it is asked for when first needed.
 */
export function createEngine(named: Program, linked: () => Program): EngineValidator {
  const definitions: Record<string, EngineObject> = named.definitions;
  const validator = Compile(definitions, withoutLookup(named.root));
  const isInterpreted = !validator.IsAccelerated();
  return {
    isInterpreted,
    // Interpreting, a validator of the library keeps what it evaluated from one value to the next.
    check: isInterpreted
      ? (value) => Check(linked().root, value)
      : (value) => validator.Check(value),
    explain: (value) => Errors(linked().root, value)[1],
  };
}

/** With a `$schema` the library does not look for resources of older drafts around a reference. */
function withoutLookup(root: EngineSchema): EngineSchema {
  return typeof root === "boolean" ? root : { $schema: "", ...root };
}
