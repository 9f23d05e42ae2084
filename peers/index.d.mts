/** Import a published package that is installed in `peers/` and nowhere else; the caller says what it needs of it. */
export function importPeer<T = Record<string, unknown>>(name: string): Promise<T>;
