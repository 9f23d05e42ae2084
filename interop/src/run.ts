import { ensurePeers, peerNode } from "../../tools/peers.mjs";
import { type Feature, FEATURES, NOTES } from "./features.ts";
import { inspector } from "./inspector.ts";
import { notesFolder, startHttp, stdioTarget } from "./notes-server.ts";
import { publishedClient } from "./published-client.ts";
import type { Peer, Session, Target } from "./session.ts";

interface Cell {
  readonly feature: string;
  /** `–`: the peer does not offer it. */
  readonly outcome: "ok" | "FAIL" | "skip" | "–";
  readonly reason?: string;
}
interface Row {
  readonly peer: string;
  readonly transport: Target["transport"];
  readonly cells: readonly Cell[];
}

const NODE_FOR_INSPECTOR = [22, 19] as const;

async function main(): Promise<number> {
  ensurePeers();
  const folder = notesFolder(NOTES);
  const http = await startHttp(folder.path);
  try {
    const rows: Row[] = [];
    for (const peer of [publishedClient, inspector(inspectorNode())]) {
      for (const target of [http.target, stdioTarget(folder.path)]) {
        // oxlint-disable-next-line no-await-in-loop -- peers take turns at one server
        rows.push({ peer: peer.name, transport: target.transport, cells: await row(peer, target) });
      }
    }
    return report(rows);
  } finally {
    await http.stop();
    folder.remove();
  }
}

function inspectorNode(): string | undefined {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const [needMajor, needMinor] = NODE_FOR_INSPECTOR;
  const suffices = major > needMajor || (major === needMajor && minor >= needMinor);
  return suffices ? process.execPath : peerNode();
}

async function row(peer: Peer, target: Target): Promise<readonly Cell[]> {
  if (peer.unavailable !== undefined) {
    const outcome = process.env["CI"] === "true" ? "FAIL" : "skip";
    const reason = peer.unavailable;
    return FEATURES.map(({ name }) => ({ feature: name, outcome, reason }));
  }
  const cells: Cell[] = [];
  try {
    const session = await peer.open(target);
    try {
      for (const feature of FEATURES) {
        // oxlint-disable-next-line no-await-in-loop -- one connection, one thing at a time
        cells.push(await cell(feature, session));
      }
    } finally {
      await session.close();
    }
  } catch (error) {
    const done = cells.length;
    const reason = messageOf(error);
    const rest = FEATURES.slice(done).map(({ name }) => name);
    for (const feature of done === FEATURES.length ? ["close"] : rest) {
      cells.push({ feature, outcome: "FAIL", reason });
    }
  }
  return cells;
}

async function cell(feature: Feature, session: Session): Promise<Cell> {
  const { asks, name } = feature;
  if (asks === true && session.answersWith === undefined) return { feature: name, outcome: "–" };
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

function report(rows: readonly Row[]): number {
  const head = ["peer", "transport", ...FEATURES.map((feature) => feature.name)];
  const lines = rows.map((r) => [r.peer, r.transport, ...r.cells.map((c) => c.outcome)]);
  const widths = head.map((title, column) =>
    Math.max(title.length, ...lines.map((line) => line[column]?.length ?? 0)),
  );
  for (const line of [head, ...lines]) {
    console.log(
      line
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    );
  }
  const cells = rows.flatMap((r) =>
    r.cells.map((c) => ({ ...c, row: `${r.peer}, ${r.transport}` })),
  );
  for (const c of cells) {
    if (c.reason !== undefined) console.log(`\n${c.row}, ${c.feature}: ${c.outcome}\n${c.reason}`);
  }
  const count = (outcome: Cell["outcome"]): number =>
    cells.filter((c) => c.outcome === outcome).length;
  console.log(`\n${count("ok")} passed, ${count("FAIL")} failed, ${count("skip")} skipped`);
  return count("FAIL") === 0 ? 0 : 1;
}

process.exitCode = await main();
