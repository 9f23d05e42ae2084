import type { StandardSchemaV1 } from "@standard-schema/spec";
import { MAX_QUOTED_CHARS, MAX_SCHEMA_ISSUES } from "../base/limits.ts";
import type { EngineFault } from "./plain/engine.ts";
import { toPointer } from "./fault.ts";

/** One reason why a value does not match, worded for a model to correct it. */
export interface Issue {
  /** JSON Pointer of the offending place; empty for the value itself. */
  readonly path: string;
  readonly message: string;
}

/** One line for each issue, for a model to correct itself. */
export function describeIssues(issues: readonly Issue[]): string {
  return issues.map(({ path, message }) => `- ${path || "(root)"}: ${message}`).join("\n");
}

/** At most 20 issues, of bounded length, none of them twice. */
function bounded(issues: readonly Issue[]): readonly Issue[] {
  const seen = new Map<string, Issue>();
  for (const { path, message } of issues) {
    if (seen.size === MAX_SCHEMA_ISSUES) break;
    const issue = { path: shorten(path), message: shorten(message) };
    seen.set(`${issue.path} ${issue.message}`, issue);
  }
  return [...seen.values()];
}

const shorten = (text: string): string =>
  text.length > MAX_QUOTED_CHARS ? `${text.slice(0, MAX_QUOTED_CHARS)}…` : text;

/** What a schema library found. */
export function libraryIssues(issues: readonly StandardSchemaV1.Issue[]): readonly Issue[] {
  return bounded(
    issues.slice(0, MAX_SCHEMA_ISSUES).map(({ message, path = [] }) => ({
      path: toPointer(path.map((part) => String(typeof part === "object" ? part.key : part))),
      message,
    })),
  );
}

/** What the engine found, in the words of this package. */
export function engineIssues(faults: readonly EngineFault[]): readonly Issue[] {
  const issues = faults.flatMap((fault) => {
    const message = describe(fault);
    return message === undefined ? [] : [{ path: fault.instancePath, message }];
  });
  return bounded(issues.length > 0 ? issues : [{ path: "", message: "does not match" }]);
}

interface Params {
  readonly additionalProperties?: readonly string[];
  readonly requiredProperties?: readonly string[];
  readonly propertyNames?: readonly string[];
  readonly unevaluatedProperties?: readonly unknown[];
  readonly allowedValue?: unknown;
  readonly allowedValues?: readonly unknown[];
}

const MAX_QUOTED_VALUES = 20;

function describe({ keyword, message, params: any }: EngineFault): string | undefined {
  const params = any as Params;
  switch (keyword) {
    // Follows from the keyword that holds the schema `false`, which says what is meant.
    case "boolean":
      return undefined;
    case "additionalProperties":
      return `must not have ${properties(params.additionalProperties)}`;
    case "unevaluatedProperties":
      return `must not have ${properties(params.unevaluatedProperties)}`;
    case "required":
      return `must have ${properties(params.requiredProperties)}`;
    case "propertyNames":
      return `must not name ${properties(params.propertyNames)}`;
    case "enum":
      return `must be one of ${quote(params.allowedValues)}`;
    case "const":
      return `must be ${JSON.stringify(params.allowedValue)}`;
    case "anyOf":
      return "must match one of the alternatives";
    case "oneOf":
      return "must match exactly one of the alternatives";
    case "not":
      return "must not match what is excluded";
    default:
      return message;
  }
}

const properties = (names: readonly unknown[] = []): string =>
  `the ${names.length === 1 ? "property" : "properties"} ${quote(names)}`;

function quote(values: readonly unknown[] = []): string {
  const shown = values.slice(0, MAX_QUOTED_VALUES).map((value) => JSON.stringify(value));
  return shown.join(", ") + (values.length > shown.length ? ", …" : "");
}
