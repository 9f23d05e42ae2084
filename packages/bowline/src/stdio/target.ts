// Apart from the code that uses them, so that programs for the web compile without the types of Node.
import type { JsonLimits } from "../base/limits.ts";
import type { OnStdioDiagnostic } from "./diagnostic.ts";
import type { Environment } from "./client/environment.ts";

export interface ConnectStdioOptions {
  readonly limits?: Partial<StdioClientLimits>;
  /**
   * Hears of what belongs to no call: foreign text on the server's output, stray messages. Default: a
   * process warning for the first of each kind.
   */
  readonly onDiagnostic?: OnStdioDiagnostic;
}

export interface StdioClientLimits extends JsonLimits {
  readonly maxResponseBytes: number;
  readonly maxQueueBytes: number;
}

/** A server at the other end of two streams of Node, or of one that is both, such as a socket. */
export interface StdioStreams extends ConnectStdioOptions {
  /** What the server writes. */
  readonly input: NodeInput;
  /** What the server reads. */
  readonly output: NodeOutput;
}

/** A `Readable` of Node that gives bytes, told by what no other thing has. */
export interface NodeInput {
  readonly readable: boolean;
  readonly readableEncoding: string | null;
  read(): unknown;
  destroy(): unknown;
}

/** A `Writable` of Node. */
export interface NodeOutput {
  readonly writable: boolean;
  cork(): void;
  write(chunk: string): boolean;
  destroy(): unknown;
}

/** A server at the other end of two streams of the web; Node carries them. */
export interface WebStreams extends ConnectStdioOptions {
  /** What the server writes. */
  readonly readable: ReadableStream<Uint8Array>;
  /** What the server reads. */
  readonly writable: WritableStream<Uint8Array>;
}

/** A server to start as a child process. */
export interface StdioCommand extends ConnectStdioOptions {
  /** Name of a program on the child's PATH, or a path. Never run by a shell. */
  readonly command: string;
  readonly args?: readonly string[];
  readonly cwd?: string;
  /** Set on top of the few variables a child inherits; `undefined` takes one of those away. */
  readonly env?: Environment;
  /** Also inherit the variables for proxies and certificates, such as `HTTPS_PROXY`. Default: false. */
  readonly inheritNetwork?: boolean;
  /** Takes what the server writes to stderr, as it comes. It is kept for `stderr()` in any case. */
  readonly onStderr?: (chunk: Uint8Array) => void;
  /** How long the child may take to exit after its input ended, before it is told to. */
  readonly eofGraceMs?: number;
  /** How long it may take after SIGTERM, before it is killed. */
  readonly termGraceMs?: number;
  /**
   * Whether a call starts the server again after it ended by itself, and when. The calls it had in flight fail in any
   * case. Default: true.
   */
  readonly restart?: boolean | RestartOptions;
}

/** How soon and how often a server is started again. */
export interface RestartOptions {
  /** Restarts within `windowMs` before calls fail at once, until the window has passed. Default 5. */
  readonly maxRestarts?: number;
  /** Default 60,000. */
  readonly windowMs?: number;
  /** Longest wait before the first restart within the window; it doubles with each. Default 500. */
  readonly minDelayMs?: number;
  /** Longest wait of all. Default 30,000. */
  readonly maxDelayMs?: number;
  /** Draws the part of the longest wait that is waited, from 0 to below 1. Default: `Math.random`. */
  readonly random?: () => number;
  /** A clock in milliseconds that only goes forward. */
  readonly now?: () => number;
  /** Runs a function after some milliseconds, and gives what calls it off. */
  readonly after?: (ms: number, run: () => void) => () => void;
}
