/** What a revision demands of one side, as the referee's own requirement file lists it. */
export interface Requirements {
  /** Scenarios that decide whether the implementation conforms. */
  readonly scored: readonly string[];
  /** Scenarios that are run and reported only, each with the referee's reason. */
  readonly unscored: ReadonlyMap<string, string>;
}

export type Side = "server" | "client";

/**
 * Read the referee's requirement file for one side.
 *
 * The file is YAML, of which it uses three shapes only: a top-level key, a plain list entry, and a
 * list entry with the keys `scenario`, `leg`, `reason`. Throws on a file without scenarios for the side.
 */
export function parseRequirements(yaml: string, side: Side): Requirements {
  const scored: string[] = [];
  const unscored = new Map<string, string>();
  let section = "";
  let entry = { scenario: "", leg: "" };
  for (const line of yaml.split("\n")) {
    const key = /^(\w+):\s*$/.exec(line);
    if (key?.[1] !== undefined) section = key[1];
    const plain = /^\s+- ([\w./-]+)\s*$/.exec(line);
    if (plain?.[1] !== undefined && section === side) scored.push(plain[1]);
    const member = /^\s+(?:- )?(scenario|leg|reason): ([\w./-]+)\s*$/.exec(line);
    if (section !== "not_scored" || member?.[2] === undefined) continue;
    if (member[1] === "scenario") entry = { scenario: member[2], leg: "" };
    else if (member[1] === "leg") entry.leg = member[2];
    else if (entry.leg === side) unscored.set(entry.scenario, member[2]);
  }
  if (scored.length === 0) throw new Error(`no ${side} scenarios in the requirement file`);
  return { scored, unscored };
}
