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
  const scan = createScan(plan.items, uri);
  const behind = plan.widest + 1;
  const tail = behind === 0 ? 0 : tailStart(scan, behind);
  if (tail === undefined) return undefined;
  const head = placeFromLeft(scan, { first: 0, last: behind, from: 0, to: tail });
  if (head === undefined) return undefined;
  const range = { first: behind, last: plan.items.length, from: tail, to: uri.length };
  const rest = placeFromLeft(scan, range);
  return rest && [...head, ...rest];
}

interface Scan {
  readonly items: readonly PlanItem[];
  readonly uri: string;
  /** Next place of the character, `Infinity` if there is none. */
  readonly nextOf: (character: string, from: number) => number;
  /** Next place of the literal that is item `index`, -1 if there is none. */
  readonly nextLiteral: (index: number, text: string, from: number) => number;
}

/** Finds remember their last answer: each then reads the URI once, however often it is asked. */
function createScan(items: readonly PlanItem[], uri: string): Scan {
  const found = new Map<string, number>();
  let literal = { index: -1, at: -1 };
  return {
    items,
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
  const { items, uri } = scan;
  const inner = withoutLastLiteral(scan, range);
  if (inner === undefined) return undefined;
  const spans: Span[] = [];
  let position = inner.from;
  for (let index = inner.first; index < inner.last; index++) {
    const item = items[index];
    if (item === undefined) return undefined;
    if (item.kind === "literal") {
      if (!uri.startsWith(item.text, position)) return undefined;
      position += item.text.length;
    } else {
      const end = gapEnd(scan, index, { ...inner, from: position });
      if (end === undefined) return undefined;
      spans.push([item, uri.slice(position, end)]);
      position = end;
    }
    if (position > inner.to) return undefined;
  }
  return position === inner.to ? spans : undefined;
}

/** A literal at the end has only one place, wherever else its text occurs. */
function withoutLastLiteral({ items, uri }: Scan, range: Range): Range | undefined {
  const item = range.last > range.first ? items[range.last - 1] : undefined;
  if (item?.kind !== "literal") return range;
  const to = range.to - item.text.length;
  if (to < range.from || !uri.startsWith(item.text, to)) return undefined;
  return { ...range, last: range.last - 1, to };
}

/** The first place where what follows the gap at `index` may start. */
function gapEnd(scan: Scan, index: number, range: Range): number | undefined {
  const { items, uri } = scan;
  const gap = items[index];
  const shortest = gap?.kind === "text" ? forward(uri, range.from, 1) : range.from;
  let end = range.to;
  for (let next = index + 1; next < range.last; next++) {
    const item = items[next];
    if (item === undefined) break;
    if (item.kind === "literal") {
      const at = scan.nextLiteral(next, item.text, shortest);
      if (at === -1) return undefined;
      end = Math.min(end, at);
      break;
    }
    const leads = leadsOf(item);
    if (leads.length === 0) {
      end = Math.min(end, forward(uri, range.from, adjacentLength(gap)));
      break;
    }
    for (const lead of leads) end = Math.min(end, scan.nextOf(lead, shortest));
  }
  return end < shortest ? undefined : end;
}

/** What a gap that may be absent starts with; nothing if it starts with its value. */
function leadsOf(gap: GapItem): readonly string[] {
  if (gap.kind === "parameters") return gap.leads;
  return gap.kind === "list" && gap.lead !== "" ? [gap.lead] : [];
}

/** How many characters a gap gets whose end nothing marks. */
function adjacentLength(gap: PlanItem | undefined): number {
  return gap?.kind === "text" ? (gap.variable.prefix ?? 1) : 0;
}

/** The last place where the items from `first` on may start; nothing if they cannot be placed. */
function tailStart(scan: Scan, first: number): number | undefined {
  const { items, uri } = scan;
  let right = uri.length;
  for (let index = items.length - 1; index >= first; index--) {
    const item = items[index];
    if (item?.kind === "literal") {
      right -= item.text.length;
      if (right < 0 || !uri.startsWith(item.text, right)) return undefined;
    } else if (item?.kind === "parameters") {
      right = parametersStart(item, uri, right);
    } else {
      right = textStart(scan, index, right);
      if (right < 0) return undefined;
    }
  }
  return right;
}

function textStart({ items, uri }: Scan, index: number, right: number): number {
  const previous = items[index - 1];
  if (previous?.kind !== "literal") return backward(uri, right, adjacentLength(items[index]));
  const latest = backward(uri, right, 1) - previous.text.length;
  const at = latest < 0 ? -1 : uri.lastIndexOf(previous.text, latest);
  return at === -1 ? -1 : at + previous.text.length;
}

const PARAMETER_CHARACTER = /[\w.~%=-]/;

/** Where the longest run of parameters that ends at `right` starts: only names of the template count. */
function parametersStart(gap: ParametersItem, uri: string, right: number): number {
  const seen = new Set<string>();
  let start = right;
  let end = right;
  for (let index = right - 1; index >= 0; index--) {
    const character = uri.charAt(index);
    const isLead = gap.leads.includes(character);
    if (isLead || character === gap.separator) {
      const name = parameterName(uri.slice(index + 1, end));
      const variable = gap.byName.get(name)?.variable;
      if (variable === undefined || (seen.has(name) && !variable.explode)) break;
      seen.add(name);
      if (isLead) start = index;
      if (character !== gap.separator) break;
      end = index;
    } else if (!PARAMETER_CHARACTER.test(character)) {
      break;
    }
  }
  return start;
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
