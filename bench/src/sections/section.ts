/** What a run was asked for. */
export interface Settings {
  readonly rounds: number;
  readonly windowMs: number;
  readonly warmMs: number;
  /** How many tools are registered, and how many calls are in flight, in the tables over HTTP. */
  readonly tools: readonly number[];
  readonly concurrency: readonly number[];
  /** How many streams of changes are open. */
  readonly streams: number;
  readonly log: (line: string) => void;
}

/** A bar that the measured figures are held against. */
export interface Target {
  readonly claim: string;
  readonly measured: string;
  readonly isMet: boolean;
}

/** One part of the benchmark: its tables in Markdown, and the targets it decides. */
export interface Findings {
  readonly markdown: string;
  readonly targets: readonly Target[];
}

export interface Section {
  readonly name: string;
  run(settings: Settings): Promise<Findings>;
}

/** Ratios are held against limits; what could not be measured is not met. */
export function atMost(claim: string, ratio: number, limit: number, measured: string): Target {
  return { claim, measured, isMet: ratio <= limit };
}
