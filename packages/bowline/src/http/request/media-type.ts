import { trimWhitespace } from "../../base/whitespace.ts";

/** What a client takes as an answer. */
export interface Acceptable {
  readonly json: boolean;
  readonly eventStream: boolean;
}

const BOTH: Acceptable = { json: true, eventStream: true };
const USUAL_ACCEPT = "application/json, text/event-stream";

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const PARAMETER = `[\\t ]*;[\\t ]*(?:(${TOKEN})=(?:(${TOKEN})|"((?:[^"\\\\\\x00-\\x08\\x0a-\\x1f\\x7f]|\\\\[\\t\\x20-\\x7e])*)"))?`;
const TYPE = new RegExp(`^(${TOKEN})/(${TOKEN})`);
const QVALUE = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

interface MediaRange {
  readonly type: string;
  readonly subtype: string;
  readonly parameters: readonly (readonly [name: string, value: string])[];
}

/** Whether a body of this type is JSON in UTF-8, the only kind that is read. */
export function isJson(contentType: string | undefined): boolean {
  if (contentType === "application/json") return true;
  return contentType !== undefined && isJsonType(parseMediaRange(contentType));
}

/** @see https://www.rfc-editor.org/rfc/rfc9110.html#name-accept */
export function acceptableTo(accept: string | undefined): Acceptable {
  return accept === undefined || accept === USUAL_ACCEPT ? BOTH : parseAccept(accept);
}

function isJsonType(media: MediaRange | undefined): boolean {
  if (media?.type !== "application" || media.subtype !== "json") return false;
  return media.parameters.every(
    ([name, value]) => name !== "charset" || value.toLowerCase() === "utf-8",
  );
}

/** Type and subtype in lower case, with parameters; undefined where the text is none of it. */
function parseMediaRange(text: string): MediaRange | undefined {
  const trimmed = trimWhitespace(text);
  const head = TYPE.exec(trimmed);
  if (head === null) return undefined;
  const parameters: (readonly [string, string])[] = [];
  const next = new RegExp(PARAMETER, "y");
  next.lastIndex = head[0].length;
  while (next.lastIndex < trimmed.length) {
    const match = next.exec(trimmed);
    if (match === null) return undefined;
    const [, name, token, quoted] = match;
    if (name === undefined) continue;
    parameters.push([name.toLowerCase(), token ?? (quoted ?? "").replace(/\\(.)/g, "$1")]);
  }
  return {
    type: (head[1] ?? "").toLowerCase(),
    subtype: (head[2] ?? "").toLowerCase(),
    parameters,
  };
}

function parseAccept(value: string): Acceptable {
  const ranges = splitList(value).map(parseMediaRange);
  return {
    json: weightOf("application", "json", ranges) > 0,
    eventStream: weightOf("text", "event-stream", ranges) > 0,
  };
}

/** Splits at the commas outside quoted strings. */
function splitList(value: string): readonly string[] {
  return value.match(/(?:[^",]|"(?:[^"\\]|\\.)*"?)+/g) ?? [];
}

/** The weight the most specific matching range gives; ranges that cannot be read count for nothing. */
function weightOf(
  type: string,
  subtype: string,
  ranges: readonly (MediaRange | undefined)[],
): number {
  let weight = 0;
  let best = 0;
  for (const range of ranges) {
    if (range === undefined) continue;
    const specificity = specificityOf(range, type, subtype);
    const q = range.parameters.find(([name]) => name === "q")?.[1] ?? "1";
    if (specificity === 0 || specificity < best || !QVALUE.test(q)) continue;
    weight = specificity === best ? Math.max(weight, Number(q)) : Number(q);
    best = specificity;
  }
  return weight;
}

function specificityOf(range: MediaRange, type: string, subtype: string): number {
  if (range.type === type && range.subtype === subtype) {
    const others = range.parameters.filter(([name]) => name !== "q");
    if (others.length === 0) return 3;
    // Our answers carry no parameters; asking for the encoding they have anyway is the one exception.
    const isUtf8 = others.every(([name, v]) => name === "charset" && v.toLowerCase() === "utf-8");
    return isUtf8 ? 4 : 0;
  }
  if (range.subtype !== "*") return 0;
  if (range.type === type) return 2;
  return range.type === "*" ? 1 : 0;
}
