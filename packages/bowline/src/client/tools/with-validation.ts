import { DecodeError } from "../../base/errors.ts";
import type { Result } from "../../protocol/result.ts";
import type { Check } from "../../schema/plain/validator.ts";
import { printable, quoted } from "../printable.ts";
import type { Send } from "../send.ts";
import type { ToolCatalogue } from "./catalogue.ts";
import type { OutputSchema } from "./guard.ts";

const PATH = "/structuredContent";

/** Refuses the result of a tool that is not what its definition promises, where that is known. */
export function withValidation(send: Send, catalogue: ToolCatalogue): Send {
  return async (method, params, options, extras) => {
    const result = await send(method, params, options, extras);
    const { name } = params;
    if (method !== "tools/call" || typeof name !== "string") return result;
    const output = catalogue.outputOf(name);
    if (output !== undefined && isOutput(result)) await assertOutput(name, result, output);
    return result;
  };
}

/** A tool that failed promises nothing, and what an extension gives in its place is no output. */
const isOutput = (result: Result): boolean =>
  (result.resultType === undefined || result.resultType === "complete") &&
  result["isError"] !== true;

async function assertOutput(name: string, result: Result, output: OutputSchema): Promise<void> {
  const { structuredContent } = result;
  if (structuredContent === undefined) {
    throw new DecodeError(
      `tool ${quoted(name)} has an outputSchema, but its result no structuredContent`,
      { path: PATH, expected: "a value of the outputSchema" },
    );
  }
  const checked = await attempt(name, output, structuredContent);
  if (checked.ok) return;
  const issues = checked.issues.map(({ path, message }) => `${path || "(root)"} ${message}`);
  throw new DecodeError(
    `the structuredContent of tool ${quoted(name)} breaks its outputSchema: ${printable(issues.join("; "))}`,
    { path: `${PATH}${checked.issues[0]?.path ?? ""}`, expected: "a value of the outputSchema" },
  );
}

/** Some schemas that are valid are still too much for the engine, which shows when it is first asked. */
async function attempt(name: string, { check }: OutputSchema, value: unknown): Promise<Check> {
  try {
    return await check(value);
  } catch (cause) {
    throw new DecodeError(`the outputSchema of tool ${quoted(name)} cannot be checked by`, {
      path: PATH,
      cause,
    });
  }
}
