/** Import a published package that is installed here and nowhere else: `importPeer("@modelcontextprotocol/client")`. */
export function importPeer(name) {
  return import(name);
}
