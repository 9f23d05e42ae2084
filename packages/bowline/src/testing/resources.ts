/** What of `node:async_hooks` is used, where it is to be had. */
interface AsyncHooks {
  createHook(callbacks: {
    init(id: number, type: string, trigger: number, resource: object): void;
    destroy(id: number): void;
  }): { enable(): void; disable(): void };
  AsyncLocalStorage: new () => Storage;
}

interface Storage {
  run<R>(store: object, work: () => R): R;
  getStore(): object | undefined;
}

interface NodeProcess {
  getBuiltinModule?(name: "node:async_hooks"): AsyncHooks | undefined;
}

/** What keeps a process alive, and what each is called in a report. */
const KINDS: ReadonlyMap<string, string> = new Map([
  ["Timeout", "a timer"],
  ["TCPWRAP", "a socket"],
  ["PIPEWRAP", "a pipe"],
  ["TCPSERVERWRAP", "a server"],
  ["PROCESSWRAP", "a child process"],
  ["FSEVENTWRAP", "a watched file"],
]);

/** Watches what a handler opens and does not close; on Node alone, elsewhere it finds nothing. */
export interface ResourceWatch {
  /** Runs something whose timers, sockets and the like are looked at. */
  run<R>(work: () => R): R;
  /** What was opened since the last look and is still open. What is about to end has a moment to do so. */
  left(): Promise<readonly string[]>;
  close(): void;
}

export function createResourceWatch(): ResourceWatch {
  const { process } = globalThis as { readonly process?: NodeProcess };
  const hooks = process?.getBuiltinModule?.("node:async_hooks");
  return hooks === undefined
    ? { run: (work) => work(), left: () => Promise.resolve([]), close: () => {} }
    : watchWith(hooks);
}

function watchWith(hooks: AsyncHooks): ResourceWatch {
  const storage = new hooks.AsyncLocalStorage();
  const mine = {};
  const open = new Map<number, { readonly kind: string; readonly resource: object }>();
  const hook = hooks.createHook({
    init: (id, type, _trigger, resource) => {
      const kind = KINDS.get(type);
      if (kind !== undefined && storage.getStore() === mine) open.set(id, { kind, resource });
    },
    destroy: (id) => void open.delete(id),
  });
  hook.enable();
  return {
    run: (work) => storage.run(mine, work),
    left: async () => {
      await new Promise((resolve) => setTimeout(resolve, 0));
      const kinds = [...open.values()].filter(({ resource }) => isHeld(resource));
      open.clear();
      return kinds.map(({ kind }) => `${kind} is left behind at the pause: use ctx.defer()`);
    },
    close: () => hook.disable(),
  };
}

/** Whether it keeps the process alive. */
function isHeld(resource: object): boolean {
  return !("hasRef" in resource && typeof resource.hasRef === "function" && !resource.hasRef());
}
