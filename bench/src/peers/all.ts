import { bowlineNode, bowlineWeb } from "./bowline.ts";
import { floor } from "./floor.ts";
import { official } from "./official.ts";
import type { Peer } from "./peer.ts";
import { webFloor } from "./web-floor.ts";

export const PEERS: readonly Peer[] = [floor, bowlineNode, webFloor, bowlineWeb, official];

export function peerNamed(name: string): Peer {
  const peer = PEERS.find((candidate) => candidate.name === name);
  if (peer === undefined) throw new RangeError(`no peer is called "${name}"`);
  return peer;
}
