/** A member of a heap knows its place there, so that it can be moved and removed. */
export interface HeapMember {
  /** Below 0 while it is in no heap. The heap's to write. */
  place: number;
}

/** The first of many, in logarithmic time: a binary heap whose members can be moved and removed. */
export class Heap<M extends HeapMember> {
  readonly #members: M[] = [];
  readonly #isBefore: (one: M, other: M) => boolean;

  constructor(isBefore: (one: M, other: M) => boolean) {
    this.#isBefore = isBefore;
  }

  get size(): number {
    return this.#members.length;
  }

  /** The member that is before all others. */
  get first(): M | undefined {
    return this.#members[0];
  }

  add(member: M): void {
    this.#rise(member, this.#members.length);
  }

  remove(member: M): void {
    const last = this.#members.pop();
    const { place } = member;
    member.place = -1;
    if (last === undefined || last === member) return;
    this.#put(last, place);
    this.moved(last);
  }

  /** To be called when what a member is compared by has changed. */
  moved(member: M): void {
    this.#rise(member, member.place);
    this.#sink(member, member.place);
  }

  #rise(member: M, from: number): void {
    let place = from;
    while (place > 0) {
      const above = (place - 1) >> 1;
      const parent = this.#members[above];
      if (parent === undefined || !this.#isBefore(member, parent)) break;
      this.#put(parent, place);
      place = above;
    }
    this.#put(member, place);
  }

  #sink(member: M, from: number): void {
    let place = from;
    for (;;) {
      const child = this.#earlierChild(place);
      if (child === undefined || !this.#isBefore(child, member)) break;
      const below = child.place;
      this.#put(child, place);
      place = below;
    }
    this.#put(member, place);
  }

  #earlierChild(place: number): M | undefined {
    const left = this.#members[2 * place + 1];
    const right = this.#members[2 * place + 2];
    if (left === undefined || right === undefined) return left;
    return this.#isBefore(right, left) ? right : left;
  }

  #put(member: M, place: number): void {
    this.#members[place] = member;
    member.place = place;
  }
}
