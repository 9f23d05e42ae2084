/** Takes optional white space of HTTP off both ends: spaces and tabs, nothing else. In linear time. */
export function trimWhitespace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isWhitespace(text.charCodeAt(start))) start++;
  while (end > start && isWhitespace(text.charCodeAt(end - 1))) end--;
  return start === 0 && end === text.length ? text : text.slice(start, end);
}

function isWhitespace(unit: number): boolean {
  return unit === 0x20 || unit === 0x09;
}
