/**
 * The start of a line that readers are told to ignore: an unknown field, or a wait that is no number.
 *
 * Where a piece ends within a field's name, nothing is known yet: seven characters are needed to tell.
 */
const IGNORED_LINE =
  /\n(?!:|\n|(?:data|event|id)(?:[:\n]|$)|retry: ?(?:\d+\n|\d*$))(?=[^\n]{7}|[^\n]*\n)/g;

/**
 * Makes comments of the lines that a parser of event streams only complains about.
 *
 * Its complaint is an error with a stack for each, which makes a flood of such lines a hundred times
 * dearer than one of comments. Only the first line of a piece may be left as it is.
 */
export function muteUnknownFields(piece: string): string {
  return piece.replace(IGNORED_LINE, "\n:");
}
