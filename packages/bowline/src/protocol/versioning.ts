/** The revision this package speaks. */
export const PROTOCOL_VERSION = "2026-07-28";
