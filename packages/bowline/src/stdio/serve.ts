import { createFaultReport, type OnError } from "../base/fault-report.ts";
import type { Readable, Writable } from "node:stream";
import { TransportError } from "../base/errors.ts";
import { assertOptions, type Known } from "../base/known-members.ts";
import {
  END_OF_INPUT_GRACE_MS,
  JSON_LIMITS,
  MAX_REQUEST_BYTES,
  MAX_RESPONSE_BYTES,
  MAX_SEND_QUEUE_BYTES,
  MAX_STDIO_IN_FLIGHT,
  type JsonLimits,
} from "../base/limits.ts";
import { toExchangeHolder, type ExchangeSource } from "../protocol/exchange.ts";
import { firstOfEachKind, quote, writeToStderr, type OnStdioDiagnostic } from "./diagnostic.ts";
import { Ending } from "./ending.ts";
import { LineReader } from "./lines.ts";
import { ServerPeer, type ServerPeerOptions } from "./server-peer.ts";
import { guardStdout, type StdoutGuard } from "./stdout-guard.ts";
import { createStreamOutbox, type StreamOutbox } from "./stream.ts";

export interface ServeStdioOptions {
  /** Default: `process.stdin`. */
  readonly input?: Readable;
  /**
   * Default: `process.stdout`, which then carries messages alone: `console` and other writes are
   * diverted to stderr.
   */
  readonly output?: Writable;
  /**
   * Whether the process exits once the input has ended or nobody reads the output. Default: true if
   * both streams are those of the process. With `false`, await `closed` and end what keeps it alive.
   */
  readonly exitAtEnd?: boolean;
  /** How long calls in flight may go on after the end of input. */
  readonly endGraceMs?: number;
  readonly limits?: Partial<StdioServerLimits>;
  /**
   * Hears of faults of the transport and of a bare exchange, with the reference the peer got. Default:
   * stderr. Faults of a server's handlers reach the `onError` of `createServer`.
   */
  readonly onError?: OnError;
  /** Default: the first of each kind, as one line on stderr. */
  readonly onDiagnostic?: OnStdioDiagnostic;
  /** Makes the references of internal errors; default: random UUIDs. */
  readonly createRef?: () => string;
}

export interface StdioServerLimits extends JsonLimits {
  readonly maxRequestBytes: number;
  readonly maxResponseBytes: number;
  readonly maxInFlight: number;
  readonly maxSendQueueBytes: number;
}

export interface StdioServer extends AsyncDisposable {
  /** Settles when the last answer is written and stdout is given back; never rejects. */
  readonly closed: Promise<void>;
  /** Stops reading, lets calls in flight finish for `endGraceMs`, then closes. The process goes on. */
  close(): Promise<void>;
}

const DEFAULT_LIMITS: StdioServerLimits = {
  ...JSON_LIMITS,
  maxRequestBytes: MAX_REQUEST_BYTES,
  maxResponseBytes: MAX_RESPONSE_BYTES,
  maxInFlight: MAX_STDIO_IN_FLIGHT,
  maxSendQueueBytes: MAX_SEND_QUEUE_BYTES,
};

const OPTIONS: Known<ServeStdioOptions> = {
  input: "object",
  output: "object",
  exitAtEnd: "boolean",
  endGraceMs: "number",
  limits: "object",
  onError: "function",
  onDiagnostic: "function",
  createRef: "function",
};
const LIMITS: Known<StdioServerLimits> = {
  maxJsonDepth: "number",
  maxJsonNodes: "number",
  maxJsonMembers: "number",
  maxRequestBytes: "number",
  maxResponseBytes: "number",
  maxInFlight: "number",
  maxSendQueueBytes: "number",
};

/**
 * Serves an exchange over stdin and stdout, one message per line, until the input ends.
 *
 * At the end of input the calls in flight get a short time to finish, the rest is aborted, and the
 * process exits with code 0; with code 1 where the client sent a line without end. Other streams, such
 * as a socket, may be given instead: they are closed at the end, and the process is left alone.
 *
 * Never throws for anything the client sends, nor when the client is gone.
 *
 * @example
 * const server = createServer({ name: "clock", version: "1.0.0" });
 * server.tool("now", { description: "Current time" }, () => new Date().toISOString());
 * serveStdio(server);
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio
 */
export function serveStdio(source: ExchangeSource, options: ServeStdioOptions = {}): StdioServer {
  assertOptions("serveStdio", options, OPTIONS);
  if (options.limits !== undefined) assertOptions("serveStdio: limits", options.limits, LIMITS);
  const { exchange } = toExchangeHolder(source, "serveStdio");
  const { input = process.stdin, output = process.stdout } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const report = options.onDiagnostic ?? firstOfEachKind(({ message }) => writeToStderr(message));
  const guard = output === process.stdout ? guardAgainstStrays(report) : undefined;
  const out = createStreamOutbox(output, {
    maxQueueBytes: limits.maxSendQueueBytes,
    write: guard?.write,
    onBlocked: (blocked) => void (blocked ? input.pause() : input.resume()),
  });
  const peer = new ServerPeer({
    ...answering(options, limits, report),
    exchange,
    send: (line) => out.outbox.send(line),
    ready: (maxLength) => out.outbox.ready(maxLength),
  });
  const lines = new LineReader(limits.maxRequestBytes, {
    line: (bytes) => peer.accept(bytes),
    oversized: () => peer.refuseOversized(),
    runaway: () => {
      report({ kind: "stream-error", message: "the client sends a line without end: giving up" });
      ending.giveUp(1);
    },
  });
  const onData = (chunk: Uint8Array): void => lines.push(chunk);
  const gone = new TransportError("the client is gone", { code: "ERR_MCP_TRANSPORT_CLOSED" });
  const ending = new Ending(
    {
      stop: () => {
        lines.stop();
        input.off("data", onData);
        input.pause();
      },
      answered: () => peer.finish(gone),
      abort: () => peer.abort(gone),
      flushed: out.flushed,
      release: () => {
        out.outbox.close();
        guard?.release();
        closeStreams(input, output);
      },
      exit: exitOf(options, input, output),
    },
    options.endGraceMs ?? END_OF_INPUT_GRACE_MS,
  );

  input.on("data", onData);
  input.on("end", () => {
    lines.end();
    ending.endOfInput();
  });
  watch({ input, output, out, report }, ending);
  const close = (): Promise<void> => ending.close();
  return { closed: ending.closed, close, [Symbol.asyncDispose]: close };
}

interface Connection {
  readonly input: Readable;
  readonly output: Writable;
  readonly out: StreamOutbox;
  readonly report: OnStdioDiagnostic;
}

/** The listeners stay on: a stream may fail once more after the connection is over. */
function watch({ input, output, out, report }: Connection, ending: Ending): void {
  const loseClient = (): void => {
    out.outbox.close();
    ending.giveUp(0);
  };
  input.on("close", () => ending.endOfInput());
  input.on("error", ({ message }) => {
    report({ kind: "stream-error", message: `reading failed: ${message}` });
    ending.endOfInput();
  });
  output.on("close", loseClient);
  output.on("error", ({ message }) => {
    report({ kind: "stream-error", message: `writing failed: ${message}` });
    loseClient();
  });
}

function guardAgainstStrays(report: OnStdioDiagnostic): StdoutGuard {
  return guardStdout((text) =>
    report({
      kind: "foreign-output",
      message: `only messages may go to stdout; this went to stderr instead: ${quote(text)}`,
    }),
  );
}

/** How a peer judges, bounds and reports, by the options. */
function answering(
  options: ServeStdioOptions,
  limits: StdioServerLimits,
  report: OnStdioDiagnostic,
): Omit<ServerPeerOptions, "exchange" | "send" | "ready"> {
  return {
    ...limits,
    json: limits,
    byteLength: (text) => Buffer.byteLength(text),
    report: createFaultReport(options),
    onRefused: ({ message }) =>
      report({ kind: "refused-line", message: `refused a line: ${quote(message)}` }),
  };
}

function exitOf(
  options: ServeStdioOptions,
  input: Readable,
  output: Writable,
): ((code: number) => void) | undefined {
  const isOurs = options.exitAtEnd ?? (input === process.stdin && output === process.stdout);
  return isOurs ? (code) => process.exit(code) : undefined;
}

/** Streams that are not the process's own were given for this connection alone. */
function closeStreams(input: Readable, output: Writable): void {
  const closeInput = (): void => {
    if (input !== process.stdin) input.destroy();
  };
  if (output === process.stdout) closeInput();
  else output.end(closeInput);
}
