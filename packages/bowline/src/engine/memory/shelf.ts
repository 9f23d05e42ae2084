import type { Perishable, Room } from "./room.ts";

interface Held<C> extends Perishable {
  readonly content: C;
  readonly bytes: number;
}

/** Named things of one kind, each until its time has come. What they take up is the room's to allow. */
export class Shelf<C> {
  readonly #room: Room;
  readonly #held: Map<string, Held<C>> = new Map();

  constructor(room: Room) {
    this.#room = room;
  }

  get(name: string): C | undefined {
    return this.#live(name)?.content;
  }

  /** Puts a thing in the place of the one before. Throws, and changes nothing, where there is no room. */
  set(name: string, content: C, bytes: number, ttlMs: number | undefined): void {
    const expiresAt = ttlMs === undefined ? Infinity : this.#room.time + ttlMs;
    this.#hold(name, content, bytes, expiresAt);
  }

  /** Another content that takes up as much, for as long as before. */
  change(name: string, content: C): void {
    const before = this.#live(name);
    if (before !== undefined) this.#hold(name, content, before.bytes, before.expiresAt);
  }

  delete(name: string): boolean {
    const held = this.#live(name);
    held?.drop();
    return held !== undefined;
  }

  #hold(name: string, content: C, bytes: number, expiresAt: number): void {
    const before = this.#live(name);
    this.#room.claim(before === undefined ? 1 : 0, bytes - (before?.bytes ?? 0));
    if (before !== undefined && before.place >= 0) this.#room.unwatch(before);
    const drop = (): void => this.#drop(name);
    const held: Held<C> = { content, bytes, expiresAt, place: -1, drop };
    this.#held.set(name, held);
    if (expiresAt !== Infinity) this.#room.watch(held);
  }

  /** What is past its time may not have been cleared away yet. */
  #live(name: string): Held<C> | undefined {
    const held = this.#held.get(name);
    if (held === undefined || !this.#room.isPast(held.expiresAt)) return held;
    held.drop();
    return undefined;
  }

  #drop(name: string): void {
    const held = this.#held.get(name);
    if (held === undefined) return;
    this.#held.delete(name);
    if (held.place >= 0) this.#room.unwatch(held);
    this.#room.free(1, held.bytes);
  }
}
