import { nowMs } from "./clock.ts";
import { Stream } from "./stream.ts";

/** What the process of the listening clients is asked. */
export type Ask =
  | {
      readonly ask: "open";
      readonly streams: number;
      readonly port: number;
      readonly path: string;
    }
  | { readonly ask: "hear" };

export interface Opened {
  readonly streams: number;
}

/** When the first and the last stream were told, by the clock that processes share. */
export interface Heard {
  readonly firstMs: number;
  readonly lastMs: number;
}

/** Connections that are opened at the same time. */
const OPENING = 16;

const streams: Stream[] = [];
let told = 0;
let firstMs = Number.NaN;
let lastMs = Number.NaN;
let onAllTold: (() => void) | undefined;

function note(): void {
  told += 1;
  if (told === 1) firstMs = nowMs();
  if (told < streams.length) return;
  lastMs = nowMs();
  onAllTold?.();
}

async function open(count: number, port: number, path: string): Promise<Opened> {
  let id = streams.length;
  const last = id + count;
  const lane = async (): Promise<void> => {
    while (id < last) {
      id += 1;
      // oxlint-disable-next-line no-await-in-loop -- a lane opens one at a time
      streams.push(await Stream.open({ id, port, path }, note, fail));
    }
  };
  await Promise.all(Array.from({ length: OPENING }, lane));
  return { streams: streams.length };
}

async function hear(): Promise<Heard> {
  if (told < streams.length) {
    await new Promise<void>((resolve) => {
      onAllTold = resolve;
    });
    onAllTold = undefined;
  }
  told = 0;
  return { firstMs, lastMs };
}

function fail(error: Error): void {
  process.send?.({ fault: error.message });
}

process.on("message", (question: Ask) => {
  const answer =
    question.ask === "open" ? open(question.streams, question.port, question.path) : hear();
  answer.then((message) => process.send?.(message), fail);
});
process.on("disconnect", () => process.exit(0));
