import { TransportError } from "../../base/errors.ts";

/** What bundles for browsers get in place of `connectStdio`: there are neither processes nor streams of Node. */
export function connectStdio(): never {
  throw new TransportError("a command or a pair of streams needs Node");
}
