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
/** How long a closing client waits for a stream to pass on what was sent. */
export const STREAM_END_GRACE_MS = 2_000;
/** How long the system may take to end what was killed. */
export const CHILD_KILL_GRACE_MS = 1_000;
/** How long the output of a child that exited may still be held open by a process it left behind. */
export const CHILD_DRAIN_MS = 500;
/** Restarts of a child within a time, before calls fail at once; the most an option may ask for. */
export const MAX_CHILD_RESTARTS = 5;
export const MOST_CHILD_RESTARTS = 1_000;
export const RESTART_WINDOW_MS = 60_000;
/** Longest wait before the first restart of a child, and before any. */
export const MIN_RESTART_DELAY_MS = 500;
export const MAX_RESTART_DELAY_MS = 30_000;
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
/** The longest a timer can be set to. */
export const MAX_TIMER_MS = 2_147_483_647;
/** How often a client may send again what got no answer, and how long it waits: at first, and at most. */
export const MAX_RETRIES = 5;
export const RETRY_WAIT_MS = 500;
export const MAX_RETRY_WAIT_MS = 30_000;

/** Revisions of a server that are named in an error, and characters of one. */
export const MAX_TOLD_VERSIONS = 10;
export const MAX_VERSION_CHARS = 32;

/** Of the cache of one client; a server that allows a result to be kept for longer is not believed. */
export const MAX_CACHE_TTL_MS = 86_400_000;
export const MAX_CACHE_ENTRIES = 512;
export const MAX_CACHE_BYTES = 67_108_864;

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
export const MAX_HANDLER_TIMEOUT_MS: number = 24 * 60 * 60 * 1_000;
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
/** Subscriptions of one server, and resources in the filter of one. */
export const MAX_LISTEN_STREAMS = 1_024;
export const MAX_LISTEN_STREAMS_PER_PRINCIPAL = 16;
export const MAX_LISTEN_URIS = 256;
/** Subscriptions that are told of a change in one turn of the loop. */
export const MAX_TOLD_PER_TURN = 1_000;
/** How long a client waits before it opens a subscription again that broke off: at most, at first and later. */
export const MIN_RELISTEN_WAIT_MS = 500;
export const MAX_RELISTEN_WAIT_MS = 30_000;
/** Bytes on their way to a listener that is behind, before what else changes waits as a set. */
export const MAX_LISTEN_QUEUE_BYTES: number = 16 * 1024;

/** Bounds on what an HTTP server takes in and works on; times are in milliseconds. */
export interface HttpServerLimits extends JsonLimits {
  readonly maxRequestBytes: number;
  /** Header fields of one request, and the bytes of one mirrored value. */
  readonly maxHeaderFields: number;
  readonly maxMirroredBytes: number;
  /** For a whole body, and the least it may bring in a second once `bodyGraceMs` have passed. */
  readonly bodyTimeoutMs: number;
  readonly bodyGraceMs: number;
  readonly minBodyBytesPerSecond: number;
  /** Calls at work, and subscriptions of a bare exchange; calls that nobody waits for but whose handlers go on. */
  readonly maxInFlight: number;
  readonly maxInFlightPerPrincipal: number;
  readonly maxDetached: number;
  /** Bytes of one answer that the client has not taken: notifications wait; the stream is given up. */
  readonly maxStreamQueueBytes: number;
  readonly maxStreamBacklogBytes: number;
  /** How long a client may take nothing of what waits for it. */
  readonly writeStallMs: number;
}

export const HTTP_SERVER_LIMITS: HttpServerLimits = {
  ...JSON_LIMITS,
  maxRequestBytes: MAX_REQUEST_BYTES,
  maxHeaderFields: 100,
  maxMirroredBytes: 8 * 1024,
  bodyTimeoutMs: 30_000,
  bodyGraceMs: 5_000,
  minBodyBytesPerSecond: 1024,
  maxInFlight: 1_024,
  maxInFlightPerPrincipal: 64,
  maxDetached: 100,
  maxStreamQueueBytes: 1024 * 1024,
  maxStreamBacklogBytes: 16 * 1024 * 1024,
  writeStallMs: 30_000,
};

/** Values above which an option has to say that it means it. */
export const HARD_HTTP_SERVER_LIMITS: Partial<HttpServerLimits> = {
  maxRequestBytes: 64 * 1024 * 1024,
  maxJsonDepth: 1_000,
  maxJsonNodes: 5_000_000,
  maxJsonMembers: 500_000,
  maxHeaderFields: 500,
  maxMirroredBytes: 32 * 1024,
  bodyTimeoutMs: 300_000,
  maxStreamQueueBytes: 16 * 1024 * 1024,
};

/** Silence on an event stream after which a comment is sent. */
export const KEEP_ALIVE_MS = 15_000;
/** What a client is told to wait after it was turned away. */
export const RETRY_AFTER_SECONDS = 1;
/** Bytes of an unwanted body that are read so that the connection can go on. */
export const MAX_DISCARDED_BYTES: number = 64 * 1024;
/** What is read, and for how long, of a body that was refused: a client that still sends sees the answer. */
export const MAX_LINGER_BYTES: number = 1024 * 1024;
export const LINGER_MS = 500;

/** What `listen` sets on its HTTP server. */
export const MAX_HEADER_BYTES: number = 16 * 1024;
export const HEADERS_TIMEOUT_MS = 10_000;
export const IDLE_CONNECTION_MS = 5_000;
export const MAX_CONNECTIONS = 1_024;
export const MAX_CONNECTIONS_PER_ADDRESS = 128;

/** Requests of one client connection that wait for their answers. */
export const MAX_PENDING_REQUESTS = 1_024;
/** What a server may ask a client to wait before it connects to an event stream again. */
export const MIN_RETRY_MS = 1_000;
export const MAX_RETRY_MS = 60_000;
/** Members of one message, of its `params`, and of their `_meta`. */
export const MAX_PARAMS_MEMBERS = 1_024;

/** One JSON Schema, from an author or a peer. */
export const MAX_SCHEMA_BYTES: number = 256 * 1024;
export const MAX_SCHEMA_DEPTH = 64;
export const MAX_SUBSCHEMAS = 10_000;
/** Of one regular expression in a schema, and of a string that is tried against one. */
export const MAX_PATTERN_CHARS: number = 1024;
export const MAX_PATTERN_INPUT_CHARS: number = 64 * 1024;
/** Subschemas that apply to one and the same value, one leading to the next. */
export const MAX_REFERENCE_CHAIN = 256;
/** Visits of referenced subschemas in one validation. */
export const MAX_VALIDATION_STEPS = 1_000_000;
/** What is told of a value that does not match. */
export const MAX_SCHEMA_ISSUES = 20;
/** Values in a document whose faults are still looked for one by one. */
export const MAX_EXPLAINED_NODES = 20_000;
/** Arguments of one tool that are mirrored in headers. */
export const MAX_HEADER_PARAMETERS = 32;

/** Text of a peer, or about one, in an error message. */
export const MAX_PEER_TEXT_CHARS = 512;

/** Rounds of one call, questions of one round, and what its sealed state may take. */
export const MAX_ROUNDS = 10;
export const MAX_QUESTIONS = 16;
export const MAX_STATE_BYTES: number = 64 * 1024;
/** How long a client waits before it comes back where it was asked for nothing: at first, and at most. */
export const MIN_STATE_WAIT_MS = 250;
export const MAX_STATE_WAIT_MS = 5_000;
/** How often one question is put while its answers do not match. */
export const QUESTION_ATTEMPTS = 3;
export const MAX_QUESTION_ATTEMPTS = 10;
/** How long a client may take to come back with the answers of a round. */
export const STATE_TTL_MS: number = 10 * 60_000;
/** How long a step may keep an open question waiting. */
export const STEP_BESIDE_QUESTION_MS = 30_000;
/** How long the deferred functions of one call may take together. */
export const DEFERRED_MS = 5_000;

/** Fields of one form, choices of one field, and the whole of what is asked. */
export const MAX_FORM_FIELDS = 64;
export const MAX_FORM_CHOICES = 1_000;
export const MAX_FORM_BYTES: number = 32 * 1024;

/** Of a key, topic, queue or counter that replicas share. */
export const MAX_ENGINE_NAME_BYTES = 512;
/** As JSON text: of a value or item that replicas share, and of a message between them. */
export const MAX_ENGINE_VALUE_BYTES: number = 1024 * 1024;
export const MAX_ENGINE_MESSAGE_BYTES: number = 16 * 1024;
/** Ten years: how long something may be kept, leased or put off. */
export const MAX_ENGINE_DURATION_MS = 315_576_000_000;
/** Messages that wait for one listener, before they are given up and a gap is told instead. */
export const MAX_UNTAKEN_MESSAGES = 256;
/** Things past their time that one call of the memory engine clears away beside its own work. */
export const MAX_SWEPT_PER_CALL = 1_000;

/** Bounds on what one store of the memory engine holds. */
export interface MemoryEngineLimits {
  /** Values, counters and items of queues, all together. */
  readonly maxEntries: number;
  /** Names and values of all of them, as UTF-8. */
  readonly maxBytes: number;
  /** Items of one queue, those that are leased included. */
  readonly maxQueueLength: number;
  readonly maxSubscriptions: number;
}

export const MEMORY_ENGINE_LIMITS: MemoryEngineLimits = {
  maxEntries: 100_000,
  maxBytes: 64 * 1024 * 1024,
  maxQueueLength: 10_000,
  maxSubscriptions: 10_000,
};
