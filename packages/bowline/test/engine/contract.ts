/** What every engine has to pass, whatever it stores in. */
import { describe } from "vitest";
import { describeArguments } from "./arguments.ts";
import { describeClosing } from "./closing.ts";
import { describeCounter } from "./counter.ts";
import { describeKeyValue } from "./key-value.ts";
import { describeLeaseQueue } from "./lease-queue.ts";
import type { OpenPair } from "./pair.ts";
import { describePubSub } from "./pubsub.ts";

/** `open` gives each test a pair of engines on a store of its own, or on a part of one that is its own. */
export function describeEngine(store: string, open: OpenPair): void {
  describe(`an engine on ${store}`, () => {
    describeKeyValue(open);
    describePubSub(open);
    describeLeaseQueue(open);
    describeCounter(open);
    describeArguments(open);
    describeClosing(open);
  });
}
