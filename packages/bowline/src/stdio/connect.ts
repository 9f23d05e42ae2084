import { resolve } from "node:path";
import type { Readable, Writable } from "node:stream";
import { LimitError, TransportError } from "../base/errors.ts";
import { assertOptions, type Known } from "../base/known-members.ts";
import {
  CHILD_EOF_GRACE_MS,
  CHILD_TERM_GRACE_MS,
  JSON_LIMITS,
  MAX_CHILD_QUEUE_BYTES,
  MAX_RESPONSE_BYTES,
} from "../base/limits.ts";
import type { Exchange, ExchangeHolder } from "../protocol/exchange.ts";
import { Child } from "./client/child.ts";
import { ClientPeer } from "./client/client-peer.ts";
import { assertArguments, resolveCommand } from "./client/command.ts";
import { firstOfEachKind, type OnStdioDiagnostic } from "./diagnostic.ts";
import { childEnvironment } from "./client/environment.ts";
import { LineReader } from "./lines.ts";
import { createStreamOutbox } from "./stream.ts";
import type { ConnectStdioOptions, StdioClientLimits, StdioCommand } from "./target.ts";

/** A server at the other end of two streams, or of one that is both, such as a socket. */
export interface StdioStreams extends ConnectStdioOptions {
  /** What the server writes. */
  readonly input: Readable;
  /** What the server reads. */
  readonly output: Writable;
}

/** The client end of a connection. Whoever opened it closes it. */
export interface StdioConnection extends ExchangeHolder, AsyncDisposable {
  readonly exchange: Exchange;
  /** Of the child, if there is one. */
  readonly pid: number | undefined;
  /** Settles with the reason when the connection is over, whoever ended it; never rejects. */
  readonly closed: Promise<Error>;
  /** The last MiB the child wrote to stderr, as it wrote it: escape it before a terminal sees it. */
  stderr(): string;
  /** Ends the child and all it started, or the streams. Calls in flight fail. */
  close(): Promise<void>;
}

const DEFAULT_LIMITS: StdioClientLimits = {
  ...JSON_LIMITS,
  maxResponseBytes: MAX_RESPONSE_BYTES,
  maxQueueBytes: MAX_CHILD_QUEUE_BYTES,
};

const OPTIONS: Known<ConnectStdioOptions> = { limits: "object", onDiagnostic: "function" };
const STREAMS: Known<StdioStreams> = { input: "object", output: "object", ...OPTIONS };
const COMMAND: Known<StdioCommand> = {
  command: "any",
  args: "object",
  cwd: "string",
  env: "object",
  inheritNetwork: "boolean",
  onStderr: "function",
  eofGraceMs: "number",
  termGraceMs: "number",
  ...OPTIONS,
};
const LIMITS: Known<StdioClientLimits> = {
  maxJsonDepth: "number",
  maxJsonNodes: "number",
  maxJsonMembers: "number",
  maxResponseBytes: "number",
  maxQueueBytes: "number",
};

/**
 * Starts a server and connects to its stdin and stdout, or connects to given streams.
 *
 * Throws a `TransportError` if the program is not found, and a `TypeError` for arguments no program can
 * be given. When the server dies, calls in flight fail with a `TransportError` that holds the end of its
 * stderr; nothing is sent again, and no new server is started.
 *
 * Calls that share a connection cannot be told apart by their log messages: those are handed on only
 * while a single call in flight asks for them.
 */
export function connectStdio(target: StdioCommand | StdioStreams): StdioConnection {
  const isCommand = isCommandTarget(target);
  assertOptions("connect", target, isCommand ? COMMAND : STREAMS, {
    what: "the target, such as { command, args },",
    meant: { cmd: "command", arguments: "args", environment: "env", directory: "cwd" },
  });
  if (target.limits !== undefined) assertOptions("connect: limits", target.limits, LIMITS);
  return isCommand ? connectCommand(target) : connectStreams(target);
}

/** Of what JavaScript gives, nothing that is no object. */
const isCommandTarget = (target: StdioCommand | StdioStreams): target is StdioCommand =>
  "command" in Object(target);

function connectCommand(target: StdioCommand): StdioConnection {
  const { command, args = [] } = target;
  assertArguments(command, args);
  const cwd = resolve(target.cwd ?? "");
  const { platform } = process;
  const env = childEnvironment({
    platform,
    parent: process.env,
    env: target.env,
    inheritNetwork: target.inheritNetwork,
  });
  const file = resolveCommand({ command, cwd, env, platform });
  const child = new Child({
    file,
    args,
    cwd,
    env,
    eofGraceMs: target.eofGraceMs ?? CHILD_EOF_GRACE_MS,
    termGraceMs: target.termGraceMs ?? CHILD_TERM_GRACE_MS,
    onStderr: target.onStderr,
    onEnd: (error) => connection.fail(error),
  });
  const { stdin, stdout } = child;
  const connection = openConnection(target, stdout, stdin, (atOnce) => child.close({ atOnce }));
  return {
    ...connection.face,
    pid: child.pid,
    stderr: () => child.stderr(),
  };
}

function connectStreams(target: StdioStreams): StdioConnection {
  const { input, output } = target;
  const close = async (): Promise<void> => {
    await new Promise<void>((done) => output.end(() => done()));
    input.destroy();
  };
  const connection = openConnection(target, input, output, close);
  const lost = (how: string) => (cause?: Error) =>
    connection.fail(
      new TransportError(`the connection ${how}`, {
        code: "ERR_MCP_TRANSPORT_CLOSED",
        ...(cause instanceof Error ? { cause } : {}),
      }),
    );
  input.on("end", lost("was closed by the server")).on("close", lost("is closed"));
  input.on("error", lost("cannot be read"));
  output.on("error", lost("cannot be written"));
  return { ...connection.face, pid: undefined, stderr: () => "" };
}

interface OpenConnection {
  readonly face: Omit<StdioConnection, "pid" | "stderr">;
  /** The connection is lost. */
  fail(error: Error): void;
}

function openConnection(
  options: ConnectStdioOptions,
  input: Readable,
  output: Writable,
  end: (atOnce: boolean) => Promise<void>,
): OpenConnection {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  let markClosed: (reason: Error) => void;
  const closed = new Promise<Error>((settle) => (markClosed = settle));
  const { outbox } = createStreamOutbox(output, {
    maxQueueBytes: limits.maxQueueBytes,
    onBlocked: () => undefined,
  });
  const stop = async (reason: Error, atOnce: boolean): Promise<void> => {
    peer.fail(reason);
    lines.stop();
    outbox.flush();
    outbox.close();
    markClosed(reason);
    await end(atOnce);
  };
  const fail = (error: Error): void => void stop(error, true);
  const peer = new ClientPeer({
    send: (line) => outbox.send(line),
    queuedBytes: () => outbox.length + output.writableLength,
    byteLength: (text) => Buffer.byteLength(text),
    json: limits,
    maxQueueBytes: limits.maxQueueBytes,
    onDiagnostic: options.onDiagnostic ?? firstOfEachKind(warn),
    onLagging: (lagging) => void (lagging ? input.pause() : input.resume()),
    onFatal: fail,
  });
  const max = limits.maxResponseBytes;
  const lines = new LineReader(max, {
    line: (bytes) => peer.accept(bytes),
    oversized: () =>
      fail(new LimitError("maxResponseBytes", max, `the server sent a line of over ${max} bytes`)),
    runaway: () => undefined,
  });
  input.on("data", (chunk: Uint8Array) => lines.push(chunk));
  input.on("end", () => lines.end());
  const close = (): Promise<void> => {
    const reason = "the connection was closed by this side";
    return stop(new TransportError(reason, { code: "ERR_MCP_TRANSPORT_CLOSED" }), false);
  };
  return {
    face: { exchange: peer.exchange, closed, close, [Symbol.asyncDispose]: close },
    fail,
  };
}

const warn: OnStdioDiagnostic = ({ message }) => process.emitWarning(message, "BowlineWarning");
