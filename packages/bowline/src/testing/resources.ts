/** What of `process` is looked at, where there is one. */
interface NodeProcess {
  getActiveResourcesInfo?(): readonly string[];
}

/**
 * Looks for timers, sockets and the like that were not there when the watch was made; on Node alone, elsewhere it finds
 * nothing. What is about to end has a moment to do so.
 */
export function createResourceWatch(): () => Promise<readonly string[]> {
  const { process } = globalThis as { readonly process?: NodeProcess };
  const count = (): ReadonlyMap<string, number> => {
    const counts = new Map<string, number>();
    for (const kind of process?.getActiveResourcesInfo?.() ?? []) {
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
    return counts;
  };
  let known = count();
  return async () => {
    await new Promise((resolve) => setTimeout(resolve, 0));
    const now = count();
    const more = [...now].flatMap(([kind, number]) => {
      const added = number - (known.get(kind) ?? 0);
      return added > 0 ? [`${kind} ×${added} is left behind at the pause: use ctx.defer()`] : [];
    });
    known = now;
    return more;
  };
}
