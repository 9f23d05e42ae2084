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

/** A peer whose line passes its limit this many times over is given up. */
export const LINE_GIVE_UP_FACTOR = 16;
/** Requests one stdio server works on at a time: its client has the process for itself. */
export const MAX_STDIO_IN_FLIGHT = 1_024;
/** Written but not yet taken by the other side, before notifications wait. */
export const MAX_SEND_QUEUE_BYTES: number = 1024 * 1024;
/** What a stdio server grants calls in flight once its input has ended. */
export const END_OF_INPUT_GRACE_MS = 1_000;

export const MAX_CHILD_STDERR_BYTES: number = 1024 * 1024;
export const MAX_CHILD_QUEUE_BYTES: number = 4 * 1024 * 1024;
/** How long a child may take to exit after its input ended, and then after SIGTERM. */
export const CHILD_EOF_GRACE_MS = 2_000;
export const CHILD_TERM_GRACE_MS = 3_000;
/** How long the output of a child that exited may still be held open by a process it left behind. */
export const CHILD_DRAIN_MS = 500;
/** Lines of a child that are no messages: this many in a row, or bytes of them, close the connection. */
export const MAX_JUNK_LINES = 1_000;
export const MAX_JUNK_BYTES: number = 1024 * 1024;
/** Requests a server may send, which none is allowed to, before the connection is closed. */
export const MAX_STRAY_REQUESTS = 100;
/** Notifications a consumer has not taken yet, before reading pauses. */
export const MAX_UNTAKEN_NOTIFICATIONS = 1_024;
/** Characters of a peer's text that are quoted in a message of ours. */
export const MAX_QUOTED_CHARS = 512;

/** Of one list a client gathers. */
export const MAX_LIST_PAGES = 64;
export const MAX_LIST_ITEMS = 10_000;
/** How long a client waits for an answer: between signs of life, and in all. */
export const REQUEST_TIMEOUT_MS = 60_000;
export const MAX_TOTAL_TIMEOUT_MS = 300_000;

export const MAX_URI_TEMPLATE_CHARS: number = 16 * 1024;
export const MAX_URI_TEMPLATE_EXPRESSIONS = 1_000;
export const MAX_URI_TEMPLATE_VARIABLES = 2_000;

export const MAX_PROMPTS = 1_000;
export const MAX_RESOURCES = 10_000;
/** Tried one after the other for a URI that no fixed resource has. */
export const MAX_RESOURCE_TEMPLATES = 200;
export const MAX_TOOL_NAME_CHARS = 128;
/** What is listed of one server, all lists together. */
export const MAX_DEFINITIONS_BYTES: number = 8 * 1024 * 1024;
/** How long one handler may take, whatever its progress. */
export const HANDLER_TIMEOUT_MS = 300_000;
/** How long a closing server waits for running handlers before it aborts them. */
export const CLOSE_GRACE_MS = 5_000;
/** Progress and log messages of one call: at once, and then in a second. */
export const NOTIFICATION_BURST = 10;
export const NOTIFICATIONS_PER_SECOND = 10;
/** Completion requests of one principal: at once, and then in a second. */
export const COMPLETION_BURST = 20;
export const COMPLETIONS_PER_SECOND = 10;
/** Principals whose rates are remembered; the one unseen for longest is forgotten first. */
export const MAX_RATED_PRINCIPALS = 4_096;
/** Subscriptions of one process, and resources in the filter of one. */
export const MAX_LISTEN_STREAMS = 1_024;
export const MAX_LISTEN_URIS = 256;
