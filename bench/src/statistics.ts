/** The value at a share of sorted values; NaN of none. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

/** The middle value, or the mean of the two middle ones; NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/** Median of the ratios taken inside each round, so that a drifting machine cancels out. */
export function pairedRatio(values: readonly number[], bases: readonly number[]): number {
  const rounds = Math.min(values.length, bases.length);
  return median(
    Array.from({ length: rounds }, (_unused, round) => {
      return (values[round] ?? Number.NaN) / (bases[round] ?? Number.NaN);
    }),
  );
}

/** A number with as many digits as carry meaning. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size >= 1000) return Math.round(value).toLocaleString("en-US");
  if (size >= 100) return value.toFixed(0);
  if (size >= 10) return value.toFixed(1);
  return value.toFixed(size >= 0.1 ? 2 : 3);
}

export function times(ratio: number): string {
  return Number.isFinite(ratio) ? `${figure(ratio)}×` : "–";
}
