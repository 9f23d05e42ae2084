/**
 * Loaded before the referee: the servers it starts for a client to talk to listen on all interfaces of the machine, and
 * are kept on loopback by this. A host given to `listen` would do it too, but too late: the referee asks for the port at once.
 */
import { Server } from "node:net";

/** What `listen` comes down to, with address, port and kind of address first. */
const LISTEN = "_listen2";
const EVERYWHERE: ReadonlySet<unknown> = new Set([null, undefined, "", "::", "0.0.0.0"]);

const listen: unknown = Reflect.get(Server.prototype, LISTEN);
if (typeof listen !== "function") throw new TypeError(`net.Server has no ${LISTEN} any more`);

Reflect.set(Server.prototype, LISTEN, function onLoopback(this: Server, ...given: unknown[]) {
  const [address, port, , ...rest] = given;
  const isOpen = typeof port === "number" && port >= 0 && EVERYWHERE.has(address);
  Reflect.apply(listen, this, isOpen ? ["127.0.0.1", port, 4, ...rest] : given);
});
