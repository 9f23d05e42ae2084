import { fitsBytes } from "../../base/bytes.ts";
import { MAX_ID_BYTES, MAX_NAME_BYTES, MAX_PARAMS_MEMBERS } from "../../base/limits.ts";
import { guardNames, type NameGuard } from "../../json/fold.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../json/value.ts";
import { LOGGING_LEVELS, type LoggingLevel } from "../deprecated/logging.ts";
import { invalidParams } from "../errors.ts";
import {
  META_CLIENT_CAPABILITIES,
  META_CLIENT_INFO,
  META_LOG_LEVEL,
  META_PROTOCOL_VERSION,
  META_SERVER_INFO,
  META_SUBSCRIPTION_ID,
  type Meta,
} from "../meta.ts";
import type { ProgressToken } from "../progress.ts";
import { decodeClientCapabilities } from "./capabilities.ts";
import { refuseMisleadingNames } from "./checks.ts";
import { decodeClientInfo } from "./client-info.ts";
import { isMetaKey } from "./meta-key.ts";
import { isBaggage, isTraceparent, isTracestate } from "./trace-context.ts";

/** Keys with a field of `Meta`. */
const FIELDS: readonly string[] = [
  META_PROTOCOL_VERSION,
  META_CLIENT_CAPABILITIES,
  META_CLIENT_INFO,
  META_LOG_LEVEL,
  "progressToken",
  "traceparent",
  "tracestate",
  "baggage",
];
const GUARD: NameGuard = /* @__PURE__ */ guardNames([
  ...FIELDS,
  META_SUBSCRIPTION_ID,
  META_SERVER_INFO,
]);

/** Checks the `_meta` of a request. Throws the `RpcError` to answer with. */
export function decodeMeta(raw: JsonValue | undefined): Meta {
  if (raw === undefined) throw invalidParams("params._meta is missing");
  if (!isJsonObject(raw)) throw invalidParams("params._meta is not an object");
  const names = Object.keys(raw);
  if (names.length > MAX_PARAMS_MEMBERS) throw invalidParams("params._meta has too many members");
  refuseMisleadingNames(names, GUARD, "params._meta");
  const own = (name: string): JsonValue | undefined =>
    Object.hasOwn(raw, name) ? raw[name] : undefined;
  const traceparent = textIf(own("traceparent"), isTraceparent);
  return {
    protocolVersion: versionOf(own(META_PROTOCOL_VERSION)),
    clientCapabilities: decodeClientCapabilities(own(META_CLIENT_CAPABILITIES)),
    clientInfo: optional(own(META_CLIENT_INFO), decodeClientInfo),
    logLevel: optional(own(META_LOG_LEVEL), logLevelOf),
    progressToken: optional(own("progressToken"), progressTokenOf),
    traceparent,
    // Says nothing without the parent it belongs to.
    tracestate: traceparent === undefined ? undefined : textIf(own("tracestate"), isTracestate),
    baggage: textIf(own("baggage"), isBaggage),
    raw,
  };
}

/**
 * The `_meta` of a request. Keys with a field of their own are taken from the field, never from `raw`.
 *
 * Throws `TypeError` for a key that does not follow the naming rules, or trace context of a bad format.
 */
export function encodeMeta(meta: Meta): JsonObject {
  const encoded: Record<string, unknown> = {};
  for (const key of Object.keys(meta.raw)) {
    if (!isMetaKey(key)) throw new TypeError(`_meta key ${JSON.stringify(key)} is malformed`);
    if (!FIELDS.includes(key)) encoded[key] = meta.raw[key];
  }
  for (const [key, value] of fieldsOf(meta)) if (value !== undefined) encoded[key] = value;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the fields of `Meta` are JSON by their types
  return encoded as JsonObject;
}

function fieldsOf(meta: Meta): readonly (readonly [string, unknown])[] {
  return [
    [META_PROTOCOL_VERSION, meta.protocolVersion],
    [META_CLIENT_CAPABILITIES, meta.clientCapabilities],
    [META_CLIENT_INFO, meta.clientInfo],
    [META_LOG_LEVEL, meta.logLevel],
    ["progressToken", meta.progressToken],
    ["traceparent", validText(meta.traceparent, isTraceparent, "traceparent")],
    ["tracestate", validText(meta.tracestate, isTracestate, "tracestate")],
    ["baggage", validText(meta.baggage, isBaggage, "baggage")],
  ];
}

function versionOf(value: JsonValue | undefined): string {
  const where = `params._meta["${META_PROTOCOL_VERSION}"]`;
  if (value === undefined) throw invalidParams(`${where} is missing`);
  if (typeof value !== "string") throw invalidParams(`${where} is not a string`);
  if (!fitsBytes(value, MAX_NAME_BYTES)) throw invalidParams(`${where} is too long`);
  return value;
}

function logLevelOf(value: JsonValue): LoggingLevel {
  const level = LOGGING_LEVELS.find((known) => known === value);
  if (level === undefined) {
    throw invalidParams(`params._meta["${META_LOG_LEVEL}"] is not a log level`);
  }
  return level;
}

function progressTokenOf(value: JsonValue): ProgressToken {
  if (typeof value === "string" && fitsBytes(value, MAX_ID_BYTES)) return value;
  // Minus zero would be sent back as zero.
  const isInteger = typeof value === "number" && Number.isSafeInteger(value);
  if (isInteger && !Object.is(value, -0)) return value;
  throw invalidParams("params._meta.progressToken is not a short string or an integer");
}

function optional<T>(value: JsonValue | undefined, decode: (value: JsonValue) => T): T | undefined {
  return value === undefined ? undefined : decode(value);
}

/** Trace context of a bad format is left out, never refused: it must not fail the call it accompanies. */
function textIf(
  value: JsonValue | undefined,
  isValid: (text: string) => boolean,
): string | undefined {
  return typeof value === "string" && isValid(value) ? value : undefined;
}

function validText(
  value: string | undefined,
  isValid: (text: string) => boolean,
  name: string,
): string | undefined {
  if (value === undefined || isValid(value)) return value;
  throw new TypeError(`${name} ${JSON.stringify(value)} is malformed`);
}
