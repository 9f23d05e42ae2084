export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}
export function closingLine(counts: Omit<Counts, "skipped"> & Partial<Counts>): string;
export function readClosingLine(output: string): Counts | undefined;
