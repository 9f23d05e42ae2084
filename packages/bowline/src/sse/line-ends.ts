/** Turns CR and CRLF of a text that comes in pieces into LF. */
export class LineEnds {
  #afterCr = false;

  normalize(piece: string): string {
    if (piece === "") return piece;
    const rest = this.#afterCr && piece.startsWith("\n") ? piece.slice(1) : piece;
    this.#afterCr = piece.endsWith("\r");
    return rest.includes("\r") ? rest.replaceAll(/\r\n?/g, "\n") : rest;
  }
}
