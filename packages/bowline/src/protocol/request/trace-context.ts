/** Values of W3C Trace Context and W3C Baggage. @see https://www.w3.org/TR/trace-context/ */

import { trimWhitespace } from "../../base/whitespace.ts";

const MAX_TRACESTATE_MEMBERS = 32;
const MAX_BAGGAGE_MEMBERS = 64;
const MAX_LIST_CHARS = 8192;

const TRACEPARENT =
  /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?$/;
const STATE_KEY =
  /^(?:[a-z][a-z0-9_\-*/]{0,255}|[a-z0-9][a-z0-9_\-*/]{0,240}@[a-z][a-z0-9_\-*/]{0,13})$/;
const STATE_VALUE = /^[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;
/** A key and its value, then properties, which need no value. */
const BAGGAGE_MEMBER =
  /^[!#$%&'*+\-.^_`|~\w]+[ \t]*=(?:[ \t]*[!#-+--:<-[\]-~]+)?[ \t]*(?:;[ \t]*[!#$%&'*+\-.^_`|~\w]+[ \t]*(?:=(?:[ \t]*[!#-+--:<-[\]-~]+)?[ \t]*)?)*$/;

export function isTraceparent(value: string): boolean {
  // Only versions to come may be longer than what version 00 defines.
  return TRACEPARENT.test(value) && (value.length === 55 || !value.startsWith("00"));
}

export function isTracestate(value: string): boolean {
  const keys = new Set<string>();
  return isListOf(value, MAX_TRACESTATE_MEMBERS, (member) => {
    if (member === "") return true;
    const key = member.slice(0, Math.max(member.indexOf("="), 0));
    if (keys.has(key)) return false;
    keys.add(key);
    return STATE_KEY.test(key) && STATE_VALUE.test(member.slice(key.length + 1));
  });
}

export function isBaggage(value: string): boolean {
  return isListOf(value, MAX_BAGGAGE_MEMBERS, (member) => BAGGAGE_MEMBER.test(member));
}

function isListOf(value: string, max: number, isMember: (member: string) => boolean): boolean {
  if (value.length > MAX_LIST_CHARS) return false;
  const members = value.split(",").map(trimWhitespace);
  return members.length <= max && members.every(isMember);
}
