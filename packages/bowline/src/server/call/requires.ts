import { isJsonObject, type JsonObject } from "../../json/value.ts";
import type { ClientCapabilities } from "../../protocol/capabilities.ts";

/** The part of what is required that the client did not declare; undefined where nothing is missing. */
export function missingCapabilities(
  required: ClientCapabilities,
  declared: ClientCapabilities,
): ClientCapabilities | undefined {
  return missingMembers(required as JsonObject, withForm(declared) as JsonObject);
}

function missingMembers(required: JsonObject, declared: JsonObject): JsonObject | undefined {
  const missing: { [name: string]: JsonObject } = {};
  for (const [name, wanted] of Object.entries(required)) {
    if (!isJsonObject(wanted)) continue;
    const given = Object.hasOwn(declared, name) ? declared[name] : undefined;
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
