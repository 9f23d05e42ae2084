/** Event streams: what is encoded comes back at any split, and any text reads as the rules of event streams say. */
import { deepStrictEqual } from "node:assert";
import * as fc from "fast-check";
import { EventDecoder } from "../packages/bowline/dist/sse/decode.js";
import { encodeEvent, KEEP_ALIVE } from "../packages/bowline/dist/sse/encode.js";

const FRAGMENTS = [
  "\n",
  "\r",
  "\r\n",
  "\n\n",
  ":",
  ": comment",
  "data:",
  "data: x",
  "data",
  "event: other",
  "event: message",
  "id: 7",
  "retry: 10",
  "😀",
  "é",
];

export function sse() {
  const values = fc.array(fc.option(fc.jsonValue(), { nil: undefined }), { maxLength: 8 });
  const alien = fc
    .array(fc.constantFrom(...FRAGMENTS), { maxLength: 24 })
    .map((parts) => parts.join(""));
  const cuts = fc.array(fc.nat(), { maxLength: 30 });
  return fc.property(values, alien, cuts, (sent, text, places) => {
    const stream = sent
      .map((value) => (value === undefined ? KEEP_ALIVE : encodeEvent(JSON.stringify(value))))
      .join("");
    const expected = sent
      .filter((value) => value !== undefined)
      .map((value) => ({ name: "message", data: JSON.stringify(value) }));
    deepStrictEqual(read(stream, places), expected);
    deepStrictEqual(read(text, places), readReference(text));
  });
}

function read(text, places) {
  const bytes = new TextEncoder().encode(text);
  const events = [];
  const decoder = new EventDecoder({ onEvent: ({ name, data }) => events.push({ name, data }) });
  const sorted = places.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b);
  for (const [index, start] of [0, ...sorted].entries()) {
    decoder.push(bytes.subarray(start, sorted[index] ?? bytes.length));
  }
  return events;
}

/** The rules of the HTML standard, line by line; the last event counts only if a blank line ended it. */
function readReference(text) {
  const events = [];
  let data = [];
  let name = "";
  const ended = text.split(/\r\n|\r|\n/).slice(0, -1);
  for (const line of ended) {
    if (line === "") {
      if (data.length > 0)
        events.push({ name: name === "" ? "message" : name, data: data.join("\n") });
      data = [];
      name = "";
      continue;
    }
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "data") data.push(value);
    if (field === "event") name = value;
  }
  return events;
}
