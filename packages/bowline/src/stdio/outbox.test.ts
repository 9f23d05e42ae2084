import { describe, expect, test } from "vitest";
import { Outbox } from "./outbox.ts";

/** An outbox whose turns and whose other side are moved by the test. */
function setUp(maxQueueLength = 100) {
  const written: string[] = [];
  const blocks: boolean[] = [];
  const turns: (() => void)[] = [];
  const side = { takes: true };
  const outbox = new Outbox(
    {
      write: (text) => {
        written.push(text);
        return side.takes;
      },
      schedule: (run) => turns.push(run),
      onBlocked: (blocked) => blocks.push(blocked),
    },
    maxQueueLength,
  );
  const endTurn = () => {
    for (const run of turns.splice(0)) run();
  };
  return { outbox, written, blocks, turns, side, endTurn };
}

/** Whether a promise has settled by now. */
async function isSettled(promise: Promise<void>): Promise<boolean> {
  const pending = Symbol("pending");
  return (await Promise.race([promise, Promise.resolve(pending)])) !== pending;
}

describe("Outbox", () => {
  test("writes the lines of a turn at once", () => {
    const { outbox, written, turns, endTurn } = setUp();
    outbox.send("a");
    outbox.send("b");
    expect({ written, turns: turns.length }).toEqual({ written: [], turns: 1 });
    endTurn();
    outbox.send("c");
    endTurn();
    expect(written).toEqual(["a\nb\n", "c\n"]);
  });

  test("T-16 writes nothing while the other side is behind, then all of it at once", () => {
    const { outbox, written, blocks, side, endTurn } = setUp();
    side.takes = false;
    outbox.send("a");
    endTurn();
    outbox.send("b");
    outbox.send("c");
    endTurn();
    expect({ written, blocks, length: outbox.length }).toEqual({
      written: ["a\n"],
      blocks: [true],
      length: 4,
    });
    outbox.drained();
    expect({ written, blocks }).toEqual({ written: ["a\n", "b\nc\n"], blocks: [true, true] });
    side.takes = true;
    outbox.drained();
    expect({ written: written.length, blocks }).toEqual({
      written: 2,
      blocks: [true, true, false],
    });
  });

  test("ready waits while the queue is full or the other side is behind", async () => {
    const { outbox, side, endTurn } = setUp(3);
    expect(await isSettled(outbox.ready())).toBe(true);
    outbox.send("abc");
    const full = outbox.ready();
    expect(await isSettled(full)).toBe(false);
    endTurn();
    expect(await isSettled(full)).toBe(true);
    side.takes = false;
    outbox.send("d");
    endTurn();
    const behind = outbox.ready();
    expect(await isSettled(behind)).toBe(false);
    side.takes = true;
    outbox.drained();
    expect(await isSettled(behind)).toBe(true);
  });

  test("close lets whoever waits go and writes nothing more", async () => {
    const { outbox, written, side, endTurn } = setUp();
    side.takes = false;
    outbox.send("a");
    endTurn();
    const behind = outbox.ready();
    outbox.send("b");
    outbox.close();
    expect(await isSettled(behind)).toBe(true);
    outbox.send("c");
    outbox.drained();
    endTurn();
    expect(written).toEqual(["a\n"]);
  });
});
