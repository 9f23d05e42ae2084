export type TemplateOperator = "" | "+" | "#" | "." | "/" | ";" | "?" | "&";

/** One mention of a variable; a name may be mentioned several times. */
export interface TemplateVariable {
  readonly name: string;
  readonly operator: TemplateOperator;
  /** `{name*}`: one member each instead of one value. */
  readonly explode: boolean;
  /** `{name:3}`: at most so many code points of the value. */
  readonly prefix?: number;
}

export interface TemplateLiteral {
  readonly kind: "literal";
  /** As it stands in a URI: percent-encoded where the template has other characters. */
  readonly text: string;
}

export interface TemplateExpression {
  readonly kind: "expression";
  readonly operator: TemplateOperator;
  readonly variables: readonly TemplateVariable[];
}

export type TemplatePart = TemplateLiteral | TemplateExpression;

interface OperatorRule {
  readonly first: string;
  readonly separator: string;
  /** Values are led by the name of their variable. */
  readonly named: boolean;
  /** What follows the name of an empty value. */
  readonly afterEmpty: string;
  /** Reserved characters and percent-encoded triplets stand for themselves. */
  readonly reserved: boolean;
}

const PLAIN = { named: false, afterEmpty: "", reserved: false } as const;

export const OPERATOR_RULES: Readonly<Record<TemplateOperator, OperatorRule>> = {
  "": { ...PLAIN, first: "", separator: "," },
  "+": { ...PLAIN, first: "", separator: ",", reserved: true },
  "#": { ...PLAIN, first: "#", separator: ",", reserved: true },
  ".": { ...PLAIN, first: ".", separator: "." },
  "/": { ...PLAIN, first: "/", separator: "/" },
  ";": { ...PLAIN, first: ";", separator: ";", named: true },
  "?": { ...PLAIN, first: "?", separator: "&", named: true, afterEmpty: "=" },
  "&": { ...PLAIN, first: "&", separator: "&", named: true, afterEmpty: "=" },
};
