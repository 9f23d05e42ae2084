import { isJsonObject } from "../../json/value.ts";
import type { ClientCapabilities } from "../../protocol/capabilities.ts";

/** The part of what is required that the client did not declare; undefined where nothing is missing. */
export function missingCapabilities(
  required: ClientCapabilities,
  declared: ClientCapabilities,
): ClientCapabilities | undefined {
  return missingMembers(required, withForm(declared));
}

interface Members {
  readonly [name: string]: object;
}

function missingMembers(required: object, declared: object): Members | undefined {
  const missing: Members = {};
  for (const [name, wanted] of Object.entries(required)) {
    if (!isJsonObject(wanted)) continue;
    const given: unknown = new Map<string, unknown>(Object.entries(declared)).get(name);
    const lack = isJsonObject(given) ? missingMembers(wanted, given) : wanted;
    if (lack !== undefined) Object.defineProperty(missing, name, { value: lack, enumerable: true });
  }
  return Object.keys(missing).length === 0 ? undefined : missing;
}

/** A client that declares elicitation without saying which kind can show forms. */
function withForm(declared: ClientCapabilities): ClientCapabilities {
  const { elicitation } = declared;
  if (elicitation === undefined || Object.keys(elicitation).length > 0) return declared;
  return { ...declared, elicitation: { form: {} } };
}
