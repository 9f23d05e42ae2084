import { LimitError } from "../../base/errors.ts";
import type { JsonObject } from "../../json/value.ts";
import { invalidParams } from "../../protocol/errors.ts";
import type { Principal } from "../../protocol/exchange.ts";
import type { Visibility } from "../tool-types.ts";

/** The kinds of things a server lists; also the member of the result that holds them. */
export type ListKind = "tools" | "prompts" | "resources" | "resourceTemplates";

/** What all things that are listed have. */
export interface Entry {
  /** What messages call it: `tool "x"`. */
  readonly label: string;
  /** Name, URI or template: what a call asks for. */
  readonly key: string;
  /** As listed; a copy that nothing can change any more. */
  readonly definition: JsonObject;
  readonly visibility: Visibility | undefined;
  /** What suggests values, where something does. */
  readonly completers?: ReadonlyMap<string, unknown>;
}

/** An entry with its place: places only ever grow, so that a page can go on where another ended. */
export interface Placed<E extends Entry> {
  readonly entry: E;
  readonly place: number;
}

/** The things of one kind, in the order of registration. */
export class Collection<E extends Entry> {
  readonly kind: ListKind;
  /** What one entry is called. */
  readonly noun: string;
  /** Grows with every change. */
  version = 0;
  /** A server that once offered this kind goes on offering it, be the list empty. */
  wasOffered = false;
  readonly #limit: number;
  readonly #placed = new Map<string, Placed<E>>();
  #lastPlace = 0;
  #restricted = 0;
  #inOrder: readonly Placed<E>[] | undefined;

  constructor(kind: ListKind, noun: string, limit: number) {
    this.kind = kind;
    this.noun = noun;
    this.#limit = limit;
  }

  get(key: string): E | undefined {
    return this.#placed.get(key)?.entry;
  }

  get size(): number {
    return this.#placed.size;
  }

  /** Whether some entries are not for everyone. */
  get isRestricted(): boolean {
    return this.#restricted > 0;
  }

  inOrder(): readonly Placed<E>[] {
    return (this.#inOrder ??= [...this.#placed.values()]);
  }

  /** Throws where an entry cannot be added; changes nothing. */
  assertRoom(label: string, more = 1): void {
    if (this.#placed.size + more > this.#limit) {
      const message = `${label}: a server has at most ${this.#limit} ${this.kind}`;
      throw new LimitError(this.kind, this.#limit, message);
    }
  }

  set(entry: E): void {
    this.#lastPlace += 1;
    this.#placed.set(entry.key, { entry, place: this.#lastPlace });
    if (entry.visibility !== undefined) this.#restricted += 1;
    this.wasOffered = true;
    this.#change();
  }

  delete(key: string): E | undefined {
    const entry = this.get(key);
    if (entry === undefined) return undefined;
    this.#placed.delete(key);
    if (entry.visibility !== undefined) this.#restricted -= 1;
    this.#change();
    return entry;
  }

  #change(): void {
    this.version += 1;
    this.#inOrder = undefined;
  }
}

/** The entry of that name. Throws the answer for a name that is none, is unknown, or is hidden from the caller. */
export function findByName<E extends Entry>(
  collection: Collection<E>,
  name: unknown,
  principal: Principal | undefined,
): E {
  if (typeof name !== "string") throw invalidParams("params.name is not a string");
  const entry = collection.get(name);
  if (entry !== undefined && isVisible(entry, principal)) return entry;
  throw invalidParams(`${collection.noun} ${JSON.stringify(name)} not found`);
}

/** Whether a caller sees this entry. Hidden ones are answered like unknown ones. */
export function isVisible(entry: Entry, principal: Principal | undefined): boolean {
  const { visibility } = entry;
  if (visibility === undefined) return true;
  const { scopes, visible } = visibility;
  if (scopes !== undefined) {
    const granted = principal?.scopes ?? [];
    if (!scopes.every((scope) => granted.includes(scope))) return false;
  }
  if (visible === undefined) return true;
  // A promise, from an asynchronous function, is no permission.
  const permission: unknown = visible(principal);
  return permission === true;
}
