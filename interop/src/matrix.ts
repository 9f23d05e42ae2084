/** One thing a pair of peers does; throws where the outcome is not what it must be. */
export interface Feature<Session> {
  readonly name: string;
  /** Whether the pair offers it at all. Default: it does. */
  readonly offered?: (session: Session) => boolean;
  run(session: Session): Promise<void>;
}

interface Cell {
  readonly feature: string;
  /** `–`: the peer does not offer it. */
  readonly outcome: "ok" | "FAIL" | "skip" | "–";
  readonly reason?: string;
}

export interface Row {
  readonly peer: string;
  readonly transport: string;
  readonly cells: readonly Cell[];
}

/** Tries one feature after the other in one session, and closes it. Never rejects. */
export async function tryAll<Session extends { close(): Promise<void> }>(
  features: readonly Feature<Session>[],
  open: () => Promise<Session>,
): Promise<readonly Cell[]> {
  const cells: Cell[] = [];
  try {
    const session = await open();
    try {
      for (const feature of features) {
        // oxlint-disable-next-line no-await-in-loop -- one connection, one thing at a time
        cells.push(await tryOne(feature, session));
      }
    } finally {
      await session.close();
    }
  } catch (error) {
    const done = cells.length;
    const reason = messageOf(error);
    const rest = features.slice(done).map(({ name }) => name);
    for (const feature of done === features.length ? ["close"] : rest) {
      cells.push({ feature, outcome: "FAIL", reason });
    }
  }
  return cells;
}

/** The cells of a peer that cannot run on this machine; in CI that is a failure. */
export function unavailable(
  features: readonly { readonly name: string }[],
  reason: string,
): readonly Cell[] {
  const outcome = process.env["CI"] === "true" ? "FAIL" : "skip";
  return features.map(({ name }) => ({ feature: name, outcome, reason }));
}

async function tryOne<Session>(feature: Feature<Session>, session: Session): Promise<Cell> {
  const { name } = feature;
  if (feature.offered?.(session) === false) return { feature: name, outcome: "–" };
  try {
    await feature.run(session);
    return { feature: name, outcome: "ok" };
  } catch (error) {
    return { feature: name, outcome: "FAIL", reason: messageOf(error) };
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Prints a table and what is wrong in it. */
export function printTable(title: string, rows: readonly Row[]): void {
  const features = rows[0]?.cells.map(({ feature }) => feature) ?? [];
  const head = ["peer", "transport", ...features];
  const lines = rows.map((r) => [r.peer, r.transport, ...r.cells.map((c) => c.outcome)]);
  const widths = head.map((text, column) =>
    Math.max(text.length, ...lines.map((line) => line[column]?.length ?? 0)),
  );
  console.log(`\n${title}\n`);
  for (const line of [head, ...lines]) {
    const padded = line.map((text, column) => text.padEnd(widths[column] ?? 0));
    console.log(padded.join("  ").trimEnd());
  }
  for (const { peer, transport, cells } of rows) {
    for (const { feature, outcome, reason } of cells) {
      if (reason === undefined) continue;
      console.log(`\n${peer}, ${transport}, ${feature}: ${outcome}\n${reason}`);
    }
  }
}

/** Prints the closing line; gives the exit code. */
export function printSum(rows: readonly Row[]): number {
  const outcomes = rows.flatMap(({ cells }) => cells.map(({ outcome }) => outcome));
  const count = (wanted: Cell["outcome"]): number =>
    outcomes.filter((outcome) => outcome === wanted).length;
  console.log(`\n${count("ok")} passed, ${count("FAIL")} failed, ${count("skip")} skipped`);
  return count("FAIL") === 0 ? 0 : 1;
}
