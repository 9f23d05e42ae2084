/** Listens on loopback and says where, for whoever started this program. */
export function announce(server) {
  server.listen(0, "127.0.0.1", () => {
    process.stdout.write(`http://127.0.0.1:${server.address().port}/mcp\n`);
  });
  process.once("SIGTERM", () => process.exit(0));
}
