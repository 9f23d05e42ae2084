/** The line every measuring command ends with: `N passed, N failed`, with `, N skipped` if any were. */
export function closingLine({ passed, failed, skipped = 0 }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

/** The counts of the last such line in an output, or undefined. */
export function readClosingLine(output) {
  const lines = output.matchAll(/^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?\s*$/gm);
  const last = [...lines].at(-1);
  if (last === undefined) return undefined;
  const [passed, failed, skipped] = last.slice(1).map((count) => Number(count ?? 0));
  return { passed, failed, skipped };
}
