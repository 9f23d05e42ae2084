/** Values of W3C Trace Context and W3C Baggage. @see https://www.w3.org/TR/trace-context/ */

import { trimWhitespace } from "../../base/whitespace.ts";

const MAX_TRACESTATE_MEMBERS = 32;
const MAX_BAGGAGE_MEMBERS = 64;
const MAX_BAGGAGE_CHARS = 8192;
const MAX_TRACESTATE_CHARS = 8192;

const TRACEPARENT =
  /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?$/;
const STATE_KEY =
  /^(?:[a-z][a-z0-9_\-*/]{0,255}|[a-z0-9][a-z0-9_\-*/]{0,240}@[a-z][a-z0-9_\-*/]{0,13})$/;
const STATE_VALUE = /^[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const BAGGAGE_VALUE = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/;

export function isTraceparent(value: string): boolean {
  // Only versions to come may be longer than what version 00 defines.
  return TRACEPARENT.test(value) && (value.length === 55 || !value.startsWith("00"));
}

export function isTracestate(value: string): boolean {
  if (value.length > MAX_TRACESTATE_CHARS) return false;
  const members = membersOf(value);
  if (members.length > MAX_TRACESTATE_MEMBERS) return false;
  const keys = new Set<string>();
  return members.every((member) => {
    if (member === "") return true;
    const key = member.slice(0, Math.max(member.indexOf("="), 0));
    if (keys.has(key)) return false;
    keys.add(key);
    return STATE_KEY.test(key) && STATE_VALUE.test(member.slice(key.length + 1));
  });
}

export function isBaggage(value: string): boolean {
  if (value.length > MAX_BAGGAGE_CHARS) return false;
  const members = membersOf(value);
  return members.length <= MAX_BAGGAGE_MEMBERS && members.every(isBaggageMember);
}

function isBaggageMember(member: string): boolean {
  const [pair = "", ...properties] = member.split(";");
  return isAssignment(pair) && properties.every((property) => isProperty(property));
}

function isProperty(property: string): boolean {
  return TOKEN.test(trimWhitespace(property)) || isAssignment(property);
}

function isAssignment(pair: string): boolean {
  const equals = pair.indexOf("=");
  return (
    equals !== -1 &&
    TOKEN.test(trimWhitespace(pair.slice(0, equals))) &&
    BAGGAGE_VALUE.test(trimWhitespace(pair.slice(equals + 1)))
  );
}

const membersOf = (list: string): readonly string[] => list.split(",").map(trimWhitespace);
