/** @see https://modelcontextprotocol.io/specification/2026-07-28/basic#icons */
export interface Icon {
  readonly src: string;
  readonly mimeType?: string;
  /** `"48x48"`, or `"any"`. Absent: usable at any size. */
  readonly sizes?: readonly string[];
  readonly theme?: "light" | "dark";
}

/** Names a program. Unverified: for display, logs and debugging only. */
export interface Implementation {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
  readonly description?: string;
  readonly websiteUrl?: string;
  readonly icons?: readonly Icon[];
}
