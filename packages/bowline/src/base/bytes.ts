/** Length of a text in UTF-8; an unpaired surrogate counts as the three bytes of its replacement. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    if (unit < 0x800) bytes += 1;
    else if (isPair(text, index, unit)) {
      // Two units, four bytes.
      bytes += 2;
      index++;
    } else bytes += 2;
  }
  return bytes;
}

/** Whether a text takes at most `max` bytes in UTF-8; the length is only counted where it could matter. */
export function fitsBytes(text: string, max: number): boolean {
  if (text.length > max) return false;
  return text.length * 3 <= max || utf8Length(text) <= max;
}

function isPair(text: string, index: number, unit: number): boolean {
  return (unit & 0xfc00) === 0xd800 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00;
}
