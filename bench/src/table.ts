import { figure } from "./statistics.ts";

export type Cell = string | number;

/** A Markdown table, the first column left and the others right. */
export function table(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const line = (cells: readonly Cell[]): string => {
    return `| ${cells.map((c) => (typeof c === "number" ? figure(c) : c)).join(" | ")} |`;
  };
  const rule = `|${head.map((_title, column) => (column === 0 ? "---" : "---:")).join("|")}|`;
  return [line(head), rule, ...rows.map(line)].join("\n");
}
