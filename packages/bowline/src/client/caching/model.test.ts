/** Any order of calls, answers, changes and time, against what a cache may give. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Result } from "../../protocol/result.ts";
import { cacheSettings } from "./options.ts";
import { withCache } from "./with-cache.ts";

const TTL_MS = 100;

type Step =
  | {
      readonly kind: "call";
      readonly uri: string;
      readonly cache: "default" | "reload" | "no-store";
    }
  | { readonly kind: "leave" | "answer" }
  | { readonly kind: "change"; readonly uri: string }
  | { readonly kind: "pass"; readonly ms: number };

const uri = fc.constantFrom("a:1", "a:2");
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("call" as const),
      uri,
      cache: fc.constantFrom(
        "default" as const,
        "default" as const,
        "reload" as const,
        "no-store" as const,
      ),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom("answer" as const, "leave" as const) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("change" as const), uri }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("pass" as const),
      ms: fc.constantFrom(1, 50, 99, 100),
    }),
  },
);

interface Made {
  readonly uri: string;
  /** What the server had, and when, as the call was made. */
  readonly version: number;
  readonly at: number;
  readonly controller: AbortController;
  readonly outcome: Promise<Result | "left">;
}

/** Everything that is ready has run. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The calls of one run, each with its outcome; all are answered in the end. */
async function run(steps: readonly Step[]): Promise<readonly Made[]> {
  const versions = new Map<unknown, number>();
  const waiting: (() => void)[] = [];
  const made: Made[] = [];
  let time = 0;
  const versionOf = (of: unknown): number => versions.get(of) ?? 0;
  const layer = withCache(
    (_method, params) => {
      // A server looks when it is asked, and its answer is on the way for a while.
      const read = { version: versionOf(params["uri"]), asked: time };
      return new Promise((resolve) => {
        waiting.push(() => {
          resolve({ resultType: "complete", ttlMs: TTL_MS, ...read, received: time });
        });
      });
    },
    cacheSettings(
      { now: () => time },
      {
        warn: (message) => expect(message).toBe("no warning"),
        timeoutMs: 60_000,
        maxTotalTimeoutMs: 60_000,
      },
    ),
  );
  const take = async (next: Step): Promise<void> => {
    switch (next.kind) {
      case "call": {
        const controller = new AbortController();
        const options = { cache: next.cache, signal: controller.signal };
        const outcome = layer
          .send("resources/read", { uri: next.uri }, options)
          .catch(() => "left" as const);
        const version = versionOf(next.uri);
        made.push({ uri: next.uri, version, at: time, controller, outcome });
        break;
      }
      case "answer":
        waiting.shift()?.();
        break;
      case "leave":
        made.at(-1)?.controller.abort();
        break;
      case "change":
        versions.set(next.uri, versionOf(next.uri) + 1);
        layer.changed({
          method: "notifications/resources/updated",
          params: { _meta: {}, uri: next.uri },
        });
        break;
      case "pass":
        time += next.ms;
    }
    await settled();
  };
  for (const next of steps) await take(next);
  while (waiting.length > 0) await take({ kind: "answer" });
  return made;
}

test("CACHE-14 CACHE-27 T-52 no call is given what was told to have changed, or is older than allowed", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40, size: "max" }), async (steps) => {
      for (const { version, at, outcome } of await run(steps)) {
        const result = await outcome;
        const given =
          result === "left"
            ? { version, received: at }
            : { version: Number(result["version"]), received: Number(result["received"]) };
        expect(given.version).toBeGreaterThanOrEqual(version);
        expect(at - given.received).toBeLessThan(TTL_MS);
      }
    }),
    { numRuns: 500 },
  );
});
