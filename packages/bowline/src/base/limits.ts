/** Bounds on one JSON document. */
export interface JsonLimits {
  /** Nesting of arrays and objects. */
  readonly maxJsonDepth: number;
  /** Values in the document, the members of objects included. */
  readonly maxJsonNodes: number;
  /** Object members; a number of their own because distinct names are dear to parse. */
  readonly maxJsonMembers: number;
}

export const JSON_LIMITS: JsonLimits = {
  maxJsonDepth: 100,
  maxJsonNodes: 500_000,
  maxJsonMembers: 65_536,
};

/** One message into a server: an HTTP body or a line. */
export const MAX_REQUEST_BYTES: number = 4 * 1024 * 1024;
/** One message into a client: a JSON body, one event, or a line. */
export const MAX_RESPONSE_BYTES: number = 16 * 1024 * 1024;

export const MAX_ID_BYTES = 256;
export const MAX_NAME_BYTES = 256;
export const MAX_URI_BYTES: number = 8 * 1024;
export const MAX_CURSOR_BYTES: number = 4 * 1024;
export const MAX_REQUEST_STATE_BYTES: number = 64 * 1024;

export const MAX_TOOLS = 1_000;
export const MAX_DESCRIPTION_BYTES: number = 16 * 1024;
export const MAX_COMPLETION_VALUES = 100;
export const DEFAULT_PAGE_SIZE = 100;
