import { describe, expect, test } from "vitest";
import { Restarts } from "./restarts.ts";

/** Restarts by a clock that stands still, and by the largest numbers that can be drawn. */
function byHand(options = {}) {
  let nowMs = 1_000;
  const restarts = new Restarts({ now: () => nowMs, random: () => 1, ...options });
  return { restarts, advance: (ms: number) => (nowMs += ms) };
}

describe("restarts", () => {
  test("T-18 the wait doubles with each restart within the window, from 0.5 s to 30 s", () => {
    const { restarts, advance } = byHand({ maxRestarts: 100 });
    const waits: number[] = [];
    for (let count = 0; count < 9; count += 1) {
      restarts.drawDelay();
      waits.push(restarts.delayMs);
      restarts.started();
      advance(1);
    }
    expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
    advance(60_000);
    restarts.drawDelay();
    expect(restarts.delayMs).toBe(500);
    advance(501);
    expect(restarts.delayMs).toBe(0);
  });

  test("T-18 the wait is drawn from the whole of it", () => {
    const drawn = [0, 0.25, 0.5];
    const { restarts } = byHand({ random: () => drawn.shift() ?? 1 });
    const waits = [1, 2, 3].map(() => {
      restarts.drawDelay();
      return restarts.delayMs;
    });
    expect(waits).toEqual([0, 125, 250]);
  });

  test("T-18 five restarts in 60 s are the last until the first of them is 60 s ago", () => {
    const { restarts, advance } = byHand();
    for (let count = 0; count < 5; count += 1) {
      expect(restarts.closedForMs).toBe(0);
      restarts.started();
      advance(1_000);
    }
    expect(restarts.closedForMs).toBe(55_000);
    advance(54_999);
    expect(restarts.closedForMs).toBe(1);
    advance(1);
    expect(restarts.closedForMs).toBe(0);
    restarts.started();
    expect(restarts.closedForMs).toBe(1_000);
  });

  test.each([
    [{ maxRestarts: 0 }, "restart.maxRestarts: 0 is not a whole number from 1"],
    [{ maxRestarts: 1_001 }, "restart.maxRestarts: more than 1000 are no limit"],
    [{ windowMs: 0.5 }, "restart.windowMs: 0.5 is not a whole number from 1"],
    [{ minDelayMs: -1 }, "restart.minDelayMs: -1 is not a whole number from 1"],
    [{ maxDelayMs: Infinity }, "restart.maxDelayMs: Infinity is not a whole number from 1"],
  ])("refuses %j", (options, message) => {
    expect(() => new Restarts(options)).toThrow(new RangeError(message));
  });
});
