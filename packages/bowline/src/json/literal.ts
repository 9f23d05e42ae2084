/** Questions about how a valid document was written, which its value does not answer. Asked rarely. */

/** Fewer characters cannot write an integer beyond the safe range. */
const UNSAFE_FROM_LENGTH = 16;

/** Whether an integer literal (no fraction, no exponent) lies beyond ±(2⁵³ − 1). */
export function hasUnsafeLiteral(text: string): boolean {
  return someNumber(text, ({ start, end }) => {
    if (end - start < UNSAFE_FROM_LENGTH) return false;
    const literal = text.slice(start, end);
    return /^-?\d+$/.test(literal) && !Number.isSafeInteger(Number(literal));
  });
}

/** How a member of the outermost object is written, if its value is a number. */
export function numberLiteralOf(text: string, member: string): string | undefined {
  let found: string | undefined;
  someNumber(text, ({ start, end, depth, nameStart, nameEnd }) => {
    if (depth !== 1 || JSON.parse(text.slice(nameStart, nameEnd)) !== member) return false;
    found = text.slice(start, end);
    return true;
  });
  return found;
}

/** One number of a document. Between the name's marks stands the string before it, quotes included. */
interface NumberPlace {
  readonly start: number;
  readonly end: number;
  readonly depth: number;
  readonly nameStart: number;
  readonly nameEnd: number;
}

function someNumber(text: string, matches: (place: NumberPlace) => boolean): boolean {
  const place = { start: 0, end: 0, depth: 0, nameStart: 0, nameEnd: 0 };
  let index = 0;
  while (index < text.length) {
    const unit = text.charCodeAt(index);
    if (unit === 0x22) {
      place.nameStart = index;
      index = place.nameEnd = endOfString(text, index);
    } else if (unit === 0x2d || isDigit(unit)) {
      place.start = index;
      index = place.end = endOfNumber(text, index);
      if (matches(place)) return true;
    } else {
      if ((unit | 0x20) === 0x7b) place.depth++;
      else if ((unit | 0x20) === 0x7d) place.depth--;
      index++;
    }
  }
  return false;
}

function endOfString(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && text.charCodeAt(index) !== 0x22) {
    index += text.charCodeAt(index) === 0x5c ? 2 : 1;
  }
  return index + 1;
}

function endOfNumber(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && isPartOfNumber(text.charCodeAt(index))) index++;
  return index;
}

function isPartOfNumber(unit: number): boolean {
  return isDigit(unit) || unit === 0x2e || unit === 0x2b || unit === 0x2d || (unit | 0x20) === 0x65;
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}
