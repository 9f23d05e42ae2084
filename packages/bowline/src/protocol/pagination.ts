/** Opaque to clients; the empty string is a valid cursor. */
export type Cursor = string;

export interface PageRequest {
  readonly cursor?: Cursor | undefined;
}

export interface Page {
  /** Absent on the last page, and only there. */
  readonly nextCursor?: Cursor | undefined;
}
