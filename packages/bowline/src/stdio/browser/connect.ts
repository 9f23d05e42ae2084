import { TransportError } from "../../base/errors.ts";

/** What bundles for browsers get in place of `connectStdio`: there are no processes to start. */
export function connectStdio(): never {
  throw new TransportError("a command needs Node: nothing can be started here");
}
