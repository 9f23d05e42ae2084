/** Make sure that `peers/node_modules` is what `peers/package-lock.json` says; throws when npm fails. */
export function ensurePeers(): void;
/** Path of a Node 22 binary for programs that need one, or undefined where none is published. */
export function peerNode(): string | undefined;
