import { parameterName } from "./capture.ts";
import type { GapItem, MatchPlan, ParametersItem, PlanItem } from "./plan.ts";

/** A gap of the plan with the text it spans. */
export type Span = readonly [gap: GapItem, text: string];

/**
 * Where the gaps of the plan lie in the URI; nothing if its literals are not all there.
 *
 * What stands behind the widest item is placed as far right as it can be, then everything as far
 * left as the place allows. Nothing is tried twice, so the time is linear in URI and plan.
 */
export function locateGaps(plan: MatchPlan, uri: string): readonly Span[] | undefined {
  const scan = createScan(plan, uri);
  const { widest, fixed, items } = plan;
  const end = placeFromRight(scan, { first: fixed, last: items.length, to: uri.length });
  if (end === undefined) return undefined;
  if (widest === -1) {
    const spans = placeFromLeft(scan, { first: 0, last: fixed, from: 0, to: end.from });
    return spans && [...spans, ...end.parameters];
  }
  const behind = { first: widest + 1, last: fixed, to: end.from };
  const tail = placeFromRight(scan, behind);
  if (tail === undefined) return undefined;
  const head = placeFromLeft(scan, { first: 0, last: behind.first, from: 0, to: tail.from });
  if (head === undefined) return undefined;
  const rest = placeFromLeft(scan, { ...behind, from: tail.from });
  return rest && [...head, ...rest, ...end.parameters];
}

interface Scan {
  readonly plan: MatchPlan;
  readonly uri: string;
  /** Next place of the character, `Infinity` if there is none. */
  readonly nextOf: (character: string, from: number) => number;
  /** Next place of the literal that is item `index`, -1 if there is none. */
  readonly nextLiteral: (index: number, text: string, from: number) => number;
  /** Last place before `to` of a character that is in no name or value, -1 if there is none. */
  readonly lastDelimiter: (to: number) => number;
}

/** Letters, digits and `%-.=_~`. As comparisons, because a regular expression for each character is dear. */
function isNameOrValue(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x2d && code <= 0x39 && code !== 0x2f) ||
    code === 0x25 ||
    code === 0x3d ||
    code === 0x5f ||
    code === 0x7e
  );
}

/** Finds remember their last answer: each then reads the URI once, however often it is asked. */
function createScan(plan: MatchPlan, uri: string): Scan {
  const found = new Map<string, number>();
  let literal = { index: -1, at: -1 };
  let delimiter = { at: -1, to: -1 };
  return {
    plan,
    uri,
    nextOf(character, from) {
      const known = found.get(character) ?? -1;
      if (known >= from) return known;
      const at = uri.indexOf(character, from);
      const next = at === -1 ? Infinity : at;
      found.set(character, next);
      return next;
    },
    nextLiteral(index, text, from) {
      if (literal.index === index && literal.at >= from) return literal.at;
      literal = { index, at: uri.indexOf(text, from) };
      return literal.at;
    },
    lastDelimiter(to) {
      if (to > delimiter.to || to <= delimiter.at) {
        let at = to - 1;
        while (at >= 0 && isNameOrValue(uri.charCodeAt(at))) at--;
        delimiter = { at, to };
      }
      return delimiter.at;
    },
  };
}

/** Items from `first` to before `last` are to fill the URI from `from` to `to`. */
interface Range {
  readonly first: number;
  readonly last: number;
  readonly from: number;
  readonly to: number;
}

function placeFromLeft(scan: Scan, range: Range): Span[] | undefined {
  const { uri } = scan;
  const spans: Span[] = [];
  let position = range.from;
  for (let index = range.first; index < range.last; index++) {
    const item = scan.plan.items[index];
    if (item === undefined) return undefined;
    if (item.kind === "literal") {
      if (!uri.startsWith(item.text, position)) return undefined;
      position += item.text.length;
    } else {
      const end = gapEnd(scan, index, { ...range, from: position });
      if (end === undefined) return undefined;
      spans.push([item, uri.slice(position, end)]);
      position = end;
    }
    if (position > range.to) return undefined;
  }
  return position === range.to ? spans : undefined;
}

/** The first place where what follows the gap at `index` may start. */
function gapEnd(scan: Scan, index: number, range: Range): number | undefined {
  const { plan, uri } = scan;
  const gap = plan.items[index];
  const { leads, next } = plan.ends[index] ?? { leads: [] };
  const shortest = gap?.kind === "text" ? forward(uri, range.from, 1) : range.from;
  let end = range.to;
  if (next === "here") {
    end = Math.min(end, forward(uri, range.from, adjacentLength(gap)));
  } else if (next !== undefined) {
    const at = scan.nextLiteral(next.index, next.text, shortest);
    if (at === -1) return undefined;
    end = Math.min(end, at);
  }
  for (const lead of leads) end = Math.min(end, scan.nextOf(lead, shortest));
  return end < shortest ? undefined : end;
}

/** How many characters a gap gets whose end nothing marks. */
function adjacentLength(gap: PlanItem | undefined): number {
  return gap?.kind === "text" ? (gap.variable.prefix ?? 1) : 0;
}

/** The last place where the items may start to end at `to`; nothing if they cannot be placed. */
function placeFromRight(
  scan: Scan,
  range: Omit<Range, "from">,
): { readonly from: number; readonly parameters: readonly Span[] } | undefined {
  const { plan, uri } = scan;
  const parameters: Span[] = [];
  let from = range.to;
  for (let index = range.last - 1; index >= range.first; index--) {
    const item = plan.items[index];
    const to = from;
    if (item?.kind === "literal") {
      from -= item.text.length;
      if (from < 0 || !uri.startsWith(item.text, from)) return undefined;
    } else if (item?.kind === "parameters") {
      from = parametersStart(item, scan, to);
      parameters.push([item, uri.slice(from, to)]);
    } else {
      from = textStart(scan, index, to);
      if (from < 0) return undefined;
    }
  }
  return { from, parameters };
}

function textStart({ plan, uri }: Scan, index: number, right: number): number {
  const previous = plan.items[index - 1];
  if (previous?.kind !== "literal") return backward(uri, right, adjacentLength(plan.items[index]));
  const latest = backward(uri, right, 1) - previous.text.length;
  const at = latest < 0 ? -1 : uri.lastIndexOf(previous.text, latest);
  return at === -1 ? -1 : at + previous.text.length;
}

/** Where the longest run of parameters that ends at `to` starts: only names of the template count. */
function parametersStart(gap: ParametersItem, scan: Scan, to: number): number {
  const seen = new Set<string>();
  let start = to;
  let end = to;
  for (;;) {
    const at = scan.lastDelimiter(end);
    const delimiter = scan.uri.charAt(at);
    const isLead = gap.leads.includes(delimiter);
    if (!isLead && delimiter !== gap.separator) return start;
    const name = parameterName(scan.uri.slice(at + 1, Math.min(end, at + 2 + gap.longestName)));
    const variable = gap.byName.get(name)?.variable;
    if (variable === undefined || (seen.has(name) && !variable.explode)) return start;
    seen.add(name);
    if (isLead) start = at;
    if (delimiter !== gap.separator) return start;
    end = at;
  }
}

/** The end of `count` characters from `position` on, of which some are percent-encoded. */
function forward(uri: string, position: number, count: number): number {
  let end = position;
  for (let taken = 0; taken < count && end < uri.length; taken++) {
    end += uri.charAt(end) === "%" ? 3 * encodedLength(byteAt(uri, end)) : 1;
  }
  return count > 0 && end === position ? position + 1 : end;
}

function backward(uri: string, position: number, count: number): number {
  let start = position;
  for (let taken = 0; taken < count && start > 0; taken++) {
    if (uri.charAt(start - 3) !== "%") start -= 1;
    else {
      start -= 3;
      while (isContinuation(byteAt(uri, start)) && uri.charAt(start - 3) === "%") start -= 3;
    }
  }
  return count > 0 && start === position ? -1 : start;
}

function byteAt(uri: string, position: number): number {
  return Number.parseInt(uri.slice(position + 1, position + 3), 16);
}

/** Bytes of the UTF-8 sequence that starts with this one. */
function encodedLength(byte: number): number {
  if (byte >= 0xf0) return 4;
  if (byte >= 0xe0) return 3;
  return byte >= 0xc0 ? 2 : 1;
}

function isContinuation(byte: number): boolean {
  return byte >= 0x80 && byte < 0xc0;
}
