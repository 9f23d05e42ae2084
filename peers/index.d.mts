/** Import a published package that is installed in `peers/` and nowhere else; the caller says what it needs of it. */
export function importPeer<T = Record<string, unknown>>(name: string): Promise<T>;
/** Where an import of that package leads, as a URL; for programs that are started in a process of their own. */
export function resolvePeer(name: string): string;
