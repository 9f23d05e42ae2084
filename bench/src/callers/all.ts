import { bowline, bowlineFetch } from "./bowline.ts";
import type { Caller } from "./caller.ts";
import { floor } from "./floor.ts";
import { official } from "./official.ts";

export const CALLERS: readonly Caller[] = [floor, bowline, bowlineFetch, official];

export function callerNamed(name: string): Caller {
  const caller = CALLERS.find((candidate) => candidate.name === name);
  if (caller === undefined) throw new RangeError(`no caller is called "${name}"`);
  return caller;
}
