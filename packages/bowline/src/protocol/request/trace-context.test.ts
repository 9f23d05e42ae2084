import { expect, test } from "vitest";
import { isBaggage, isTraceparent, isTracestate } from "./trace-context.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const SPAN = "00f067aa0ba902b7";

test.each([
  [`00-${TRACE}-${SPAN}-01`, true],
  [`00-${TRACE}-${SPAN}-ff`, true],
  [`01-${TRACE}-${SPAN}-01`, true],
  [`01-${TRACE}-${SPAN}-01-more`, true],
  [`00-${TRACE}-${SPAN}-01-more`, false],
  [`00-${TRACE}-${SPAN}-01-`, false],
  [`ff-${TRACE}-${SPAN}-01`, false],
  [`00-${TRACE.toUpperCase()}-${SPAN}-01`, false],
  [`00-${"0".repeat(32)}-${SPAN}-01`, false],
  [`00-${TRACE}-${"0".repeat(16)}-01`, false],
  [`00-${TRACE}-${SPAN}`, false],
  [` 00-${TRACE}-${SPAN}-01`, false],
  [`00-${TRACE}-${SPAN}-01\n`, false],
  [`01-${TRACE}-${SPAN}-01\n`, false],
  ["", false],
])("META-24 traceparent %j: %s", (value, expected) => {
  expect(isTraceparent(value)).toBe(expected);
});

test.each([
  ["rojo=00f067aa0ba902b7", true],
  ["rojo=00f067aa0ba902b7,congo=t61rcWkgMzE", true],
  ["rojo=1, congo=2 ,\tx=3", true],
  ["tenant@system=1,0a=2", false],
  ["fw529a3039@dt=1", true],
  ["a=with inner blanks", true],
  ["a=1,,b=2,", true],
  ["a=1,a=2", false],
  ["A=1", false],
  ["a", false],
  ["=1", false],
  ["a=", false],
  ["a=b=c", false],
  ["a=é", false],
  ["a=1\r\nb=2", false],
  [Array.from({ length: 32 }, (_, index) => `k${index}=1`).join(","), true],
  [Array.from({ length: 33 }, (_, index) => `k${index}=1`).join(","), false],
  [`a=${"x".repeat(256)}`, true],
  [`a=${"x".repeat(257)}`, false],
])("META-24 tracestate %j: %s", (value, expected) => {
  expect(isTracestate(value)).toBe(expected);
});

test.each([
  ["userId=alice", true],
  ["userId=alice,serverNode=DF%2028,isProduction=false", true],
  ["key1=value1;property1;property2, key2 = value2, key3=value3; propertyKey=propertyValue", true],
  ["a=", true],
  ["a=b=c", true],
  ["a", false],
  ["=b", false],
  ["a b=c", false],
  ["a=b c", false],
  ['a="b"', false],
  ["a=é", false],
  ["a=b;", false],
  ["a=b,", false],
  ["", false],
  ["a=b\nc=d", false],
  [Array.from({ length: 64 }, (_, index) => `k${index}=1`).join(","), true],
  [Array.from({ length: 65 }, (_, index) => `k${index}=1`).join(","), false],
  [`a=${"x".repeat(8_190)}`, true],
  [`a=${"x".repeat(8_191)}`, false],
])("META-24 baggage %j: %s", (value, expected) => {
  expect(isBaggage(value)).toBe(expected);
});
