import type { ClientCapabilities } from "../capabilities.ts";
import { META_CLIENT_CAPABILITIES } from "../meta.ts";
import { invalidParams, invalidRequest } from "../errors.ts";
import { isJsonObject, type JsonValue } from "../../json/value.ts";

const WHERE = `params._meta["${META_CLIENT_CAPABILITIES}"]`;

/** Capabilities whose members are objects, whatever they are called. What capabilities not named here hold is not known. */
const MAPS: ReadonlySet<string> = /* @__PURE__ */ new Set([
  "experimental",
  "elicitation",
  "sampling",
  "extensions",
]);

/** Checks the capabilities of one request and returns them. Throws the `RpcError` to answer with. */
export function decodeClientCapabilities(value: JsonValue | undefined): ClientCapabilities {
  if (value === undefined) throw invalidParams(`${WHERE} is missing`);
  if (!isJsonObject(value)) throw invalidParams(`${WHERE} is not an object`);
  for (const name of Object.keys(value)) {
    refuseProto(name, value[name]);
    if (name === "roots" || MAPS.has(name)) requireObjects(name, value[name]);
  }
  return value;
}

function requireObjects(name: string, group: JsonValue | undefined): void {
  if (!isJsonObject(group)) throw invalidParams(`capability ${name} is not an object`);
  if (MAPS.has(name) && !Object.values(group).every(isJsonObject)) {
    throw invalidParams(`a member of capability ${name} is not an object`);
  }
}

/** No member at any depth is called `__proto__`. The parser has bounded the depth. */
function refuseProto(name: string, value: JsonValue | undefined): void {
  if (name === "__proto__") throw invalidRequest("a client capability has a misleading name");
  if (typeof value !== "object" || value === null) return;
  for (const [key, member] of Object.entries(value)) refuseProto(key, member);
}
