/* oxlint-disable no-await-in-loop -- windows that overlap would measure each other */
import type { Usage } from "./host.ts";
import type { Hosted } from "./hosted.ts";
import type { Window } from "./load.ts";
import { median, pairedRatio } from "./statistics.ts";
import type { Settings } from "./sections/section.ts";

/** One window of load on one server, with what it cost the server. */
export interface Sample extends Window {
  readonly cpuMicrosPerCall: number;
  readonly rssMB: number;
}

/** All samples of one server under one load, a sample a round. */
export interface Series {
  readonly server: Hosted;
  readonly samples: readonly Sample[];
  /** Why this server was not measured to the end: it answered wrongly, or cut a connection. */
  readonly failure: string | undefined;
}

/** What is done to every server in turn. */
export type Measure = (server: Hosted, durationMs: number, checkEvery: number) => Promise<Window>;

const CHECK_EVERY = 16;

/**
 * Warm every server, every answer checked, then measure them in rounds: each round visits all of them,
 * in an order that turns by one. A server that answers wrongly, or cuts a connection, is left out from
 * then on, and its series says why.
 */
export async function inRounds(
  servers: readonly Hosted[],
  measure: Measure,
  settings: Settings,
): Promise<readonly Series[]> {
  const samples = new Map<Hosted, Sample[]>(servers.map((server) => [server, []]));
  const failures = new Map<Hosted, string>();
  const attempt = async (server: Hosted, run: () => Promise<void>): Promise<void> => {
    if (failures.has(server)) return;
    try {
      await run();
    } catch (error) {
      failures.set(server, error instanceof Error ? error.message : String(error));
    }
  };
  for (const server of servers) {
    await attempt(server, async () => {
      await measure(server, settings.warmMs, 1);
    });
  }
  for (let round = 0; round < settings.rounds; round++) {
    for (let turn = 0; turn < servers.length; turn++) {
      const server = servers[(turn + round) % servers.length];
      if (server === undefined) continue;
      await attempt(server, async () => {
        const before = await server.usage();
        const window = await measure(server, settings.windowMs, CHECK_EVERY);
        samples.get(server)?.push(sampleOf(window, before, await server.usage()));
      });
    }
  }
  return servers.map((server) => ({
    server,
    samples: failures.has(server) ? [] : (samples.get(server) ?? []),
    failure: failures.get(server),
  }));
}

function sampleOf(window: Window, before: Usage, after: Usage): Sample {
  const cpuMicrosPerCall = ((after.cpuMs - before.cpuMs) * 1000) / window.requests;
  return { ...window, cpuMicrosPerCall, rssMB: after.rssMB };
}

export function middle(series: Series, key: keyof Sample): number {
  return median(series.samples.map((sample) => sample[key]));
}

/** How one server's CPU a call compares with another's, round by round; NaN where one is missing. */
export function cpuRatio(series: Series | undefined, base: Series | undefined): number {
  const costs = (of: Series | undefined): number[] => {
    return (of?.samples ?? []).map((sample) => sample.cpuMicrosPerCall);
  };
  return pairedRatio(costs(series), costs(base));
}
