/** Import a published package that is installed here and nowhere else: `importPeer("@modelcontextprotocol/client")`. */
export function importPeer(name) {
  return import(name);
}

/** Where an import of that package leads, as a URL; for programs that are started in a process of their own. */
export function resolvePeer(name) {
  return import.meta.resolve(name);
}
