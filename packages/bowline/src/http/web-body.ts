import type { HttpServerLimits } from "../base/limits.ts";
import { BodyPieces } from "./request/body-pieces.ts";
import { Latch } from "./answer/latch.ts";
import type { Ticker } from "./answer/ticker.ts";

/** A body, or why it was not read to its end. */
export type BodyOutcome = Uint8Array | "size" | "pace";

const EMPTY = new Uint8Array();

/** Reads the body of a web request up to the limit. Rejects if the client goes away before its end. */
export async function readBody(
  request: Request,
  limits: HttpServerLimits,
  ticker: Ticker,
): Promise<BodyOutcome> {
  if (request.body === null) return EMPTY;
  const reader = request.body.getReader();
  const gathered = new BodyPieces();
  const slow = watchPace(gathered, limits, ticker);
  try {
    for (;;) {
      const chunk = await Promise.race([reader.read(), slow.given]);
      if (chunk === "pace") return giveUp(reader, "pace");
      if (chunk.done) return gathered.join();
      gathered.add(chunk.value);
      if (gathered.size > limits.maxRequestBytes) return giveUp(reader, "size");
    }
  } finally {
    slow.stop();
  }
}

interface Pace {
  /** Settles when the body comes too slowly. */
  readonly given: Promise<"pace">;
  stop(): void;
}

function watchPace(gathered: BodyPieces, limits: HttpServerLimits, ticker: Ticker): Pace {
  const { bodyTimeoutMs, bodyGraceMs, minBodyBytesPerSecond } = limits;
  const startMs = ticker.nowMs;
  const slow = new Latch<"pace">();
  const watch = {
    tick(nowMs: number): void {
      const ageMs = nowMs - startMs;
      const isSlow = ageMs > bodyGraceMs && gathered.size < (ageMs / 1000) * minBodyBytesPerSecond;
      if (isSlow || ageMs > bodyTimeoutMs) slow.open("pace");
    },
  };
  ticker.add(watch);
  return { given: slow.promise, stop: () => ticker.delete(watch) };
}

function giveUp(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  outcome: "size" | "pace",
): "size" | "pace" {
  // What is left is not wanted; a body that cannot be cancelled is dropped by the platform.
  reader.cancel().catch(() => undefined);
  return outcome;
}
