import {
  OPERATOR_RULES,
  type TemplateExpression,
  type TemplateOperator,
  type TemplatePart,
  type TemplateVariable,
} from "./syntax.ts";

interface LiteralItem {
  readonly kind: "literal";
  readonly text: string;
}

/** One value of at least one character. */
interface TextItem {
  readonly kind: "text";
  readonly variable: TemplateVariable;
}

/** The members of an exploded variable. */
interface ListItem {
  readonly kind: "list";
  readonly variable: TemplateVariable;
  /** Stands before the first member; without members it is not there either. */
  readonly lead: string;
  readonly separator: string;
  /** Shares its commas with other variables, so that no text means one empty member. */
  readonly required: boolean;
}

/** Named values in any order; all of `{?a}{&b}` is one item, because order does not matter. */
interface ParametersItem {
  readonly kind: "parameters";
  readonly separator: string;
  /** What an expression starts with, one for each expression. */
  readonly leads: readonly string[];
  readonly byName: ReadonlyMap<string, Parameter>;
  /** Characters of the longest of those names. */
  readonly longestName: number;
}

interface Parameter {
  readonly variable: TemplateVariable;
  /** Which of `leads` is that of its expression. */
  readonly expression: number;
}

/** An item whose length is to be found. */
export type GapItem = TextItem | ListItem | ParametersItem;
export type PlanItem = LiteralItem | GapItem;
export type { ListItem, ParametersItem, TextItem };

/** A template flattened for matching: literals, and gaps between them. */
export interface MatchPlan {
  readonly items: readonly PlanItem[];
  /** The last item that may hold reserved characters: it takes what the others leave. Or -1. */
  readonly widest: number;
  /** From this item on there are only literals and parameters: their place is told from the right. */
  readonly fixed: number;
  /** For each item before `fixed` what ends it, if it is a gap. */
  readonly ends: readonly GapEnd[];
}

/** A gap ends where one of these starts, whichever comes first, and else at the end of its range. */
export interface GapEnd {
  /** The first characters of gaps behind it that may be absent. */
  readonly leads: readonly string[];
  /** The literal behind those, with its index, or `"here"` for a gap that has no mark of its own. */
  readonly next?: { readonly index: number; readonly text: string } | "here";
}

export function planMatch(parts: readonly TemplatePart[]): MatchPlan {
  const items: PlanItem[] = [];
  let open: OpenParameters | undefined;
  for (const part of parts) {
    if (part.kind === "literal") {
      append(items, part);
      open = undefined;
    } else if (!OPERATOR_RULES[part.operator].named) {
      for (const item of itemsOf(part)) append(items, item);
      open = undefined;
    } else if (open !== undefined && open.separator === OPERATOR_RULES[part.operator].first) {
      addParameters(open, part);
    } else {
      const { separator } = OPERATOR_RULES[part.operator];
      open = { kind: "parameters", separator, leads: [], byName: new Map(), longestName: 0 };
      addParameters(open, part);
      items.push(open);
    }
  }
  const widest = items.findLastIndex(isWide);
  const fixed = 1 + items.findLastIndex((item) => item.kind === "text" || item.kind === "list");
  return { items, widest, fixed, ends: endsOf(items.slice(0, fixed), widest) };
}

function endsOf(items: readonly PlanItem[], widest: number): GapEnd[] {
  const ends: GapEnd[] = [];
  let end: GapEnd = { leads: [] };
  for (const [index, item] of [...items.entries()].toReversed()) {
    if (index === widest) end = { leads: [] };
    ends[index] = end;
    if (item.kind === "literal") end = { leads: [], next: { index, text: item.text } };
    else end = endAt(item, end);
  }
  return ends;
}

function endAt(gap: GapItem, behind: GapEnd): GapEnd {
  if (gap.kind === "text" || (gap.kind === "list" && gap.lead === "")) {
    return { leads: [], next: "here" };
  }
  const leads = gap.kind === "list" ? [gap.lead] : gap.leads;
  return { ...behind, leads: [...new Set([...leads, ...behind.leads])] };
}

interface OpenParameters extends ParametersItem {
  readonly leads: string[];
  readonly byName: Map<string, Parameter>;
  longestName: number;
}

function addParameters(open: OpenParameters, { operator, variables }: TemplateExpression): void {
  for (const variable of variables) {
    open.byName.set(variable.name, { variable, expression: open.leads.length });
    open.longestName = Math.max(open.longestName, variable.name.length);
  }
  open.leads.push(OPERATOR_RULES[operator].first);
}

function itemsOf({ operator, variables }: TemplateExpression): PlanItem[] {
  const { first, separator } = OPERATOR_RULES[operator];
  return variables.flatMap((variable, index): PlanItem[] => {
    const lead = index === 0 ? first : separator;
    if (!variable.explode) return [literal(lead), { kind: "text", variable }];
    return hasOwnLead(operator) || variables.length === 1
      ? [{ kind: "list", variable, lead, separator, required: false }]
      : [literal(lead), { kind: "list", variable, lead: "", separator, required: true }];
  });
}

/** Where each variable brings its own delimiter, one that is left out leaves no trace. */
function hasOwnLead(operator: TemplateOperator): boolean {
  return operator === "/" || operator === ".";
}

function literal(text: string): LiteralItem {
  return { kind: "literal", text };
}

function append(items: PlanItem[], item: PlanItem): void {
  const last = items.at(-1);
  if (item.kind !== "literal") items.push(item);
  else if (last?.kind === "literal") items[items.length - 1] = literal(last.text + item.text);
  else if (item.text !== "") items.push(item);
}

function isWide(item: PlanItem): boolean {
  if (item.kind === "text") return OPERATOR_RULES[item.variable.operator].reserved;
  return item.kind === "list";
}
