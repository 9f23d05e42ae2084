import { resolve } from "node:path";
import { TransportError } from "../base/errors.ts";
import { assertOptions, type Known } from "../base/known-members.ts";
import {
  CHILD_EOF_GRACE_MS,
  CHILD_TERM_GRACE_MS,
  JSON_LIMITS,
  MAX_CHILD_QUEUE_BYTES,
  MAX_RESPONSE_BYTES,
} from "../base/limits.ts";
import type { Exchange, ExchangeHolder } from "../protocol/exchange.ts";
import { assertArguments, resolveCommand } from "./client/command.ts";
import { firstOfEachKind, type OnStdioDiagnostic } from "./diagnostic.ts";
import { childEnvironment } from "./client/environment.ts";
import { KeptServer } from "./client/kept-server.ts";
import type { LinkOptions } from "./client/link.ts";
import { restartsOf } from "./client/restarts.ts";
import { startServer } from "./client/running-server.ts";
import { openStreams, toStreamPair } from "./client/streams.ts";
import type {
  ConnectStdioOptions,
  StdioClientLimits,
  StdioCommand,
  StdioStreams,
  WebStreams,
} from "./target.ts";

/** The client end of a connection. Whoever opened it closes it. */
export interface StdioConnection extends ExchangeHolder, AsyncDisposable {
  readonly exchange: Exchange;
  /** Of the child that runs or ran last, if there is one. */
  readonly pid: number | undefined;
  /**
   * Settles with the reason when the connection is over, whoever ended it; never rejects. The end of a child that a
   * call would start again is none.
   */
  readonly closed: Promise<Error>;
  /** The last MiB that child wrote to stderr, as it wrote it: escape it before a terminal sees it. */
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
const STREAMS: Known<StdioStreams> = { input: "any", output: "any", ...OPTIONS };
const WEB_STREAMS: Known<WebStreams> = { readable: "any", writable: "any", ...OPTIONS };
const COMMAND: Known<StdioCommand> = {
  command: "any",
  args: "object",
  cwd: "string",
  env: "object",
  inheritNetwork: "boolean",
  onStderr: "function",
  eofGraceMs: "number",
  termGraceMs: "number",
  restart: "any",
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
 * stderr, and the next call starts it again; nothing is sent twice.
 *
 * Calls that share a connection cannot be told apart by their log messages: those are handed on only
 * while a single call in flight asks for them.
 */
export function connectStdio(target: StdioCommand | StdioStreams | WebStreams): StdioConnection {
  // JavaScript may give what is no object.
  const given: object = Object(target);
  const isCommand = "command" in given;
  assertOptions(
    "connect",
    target,
    isCommand ? COMMAND : "readable" in given ? WEB_STREAMS : STREAMS,
    {
      what: "the target, such as { command, args },",
      meant: { cmd: "command", arguments: "args", environment: "env", directory: "cwd" },
    },
  );
  if (target.limits !== undefined) assertOptions("connect: limits", target.limits, LIMITS);
  return "command" in target ? connectCommand(target) : connectStreams(target);
}

function connectCommand(target: StdioCommand): StdioConnection {
  const { command, args = [], restart = true } = target;
  assertArguments(command, args);
  const restarts = restartsOf(restart);
  const cwd = resolve(target.cwd ?? "");
  const { platform } = process;
  const env = childEnvironment({
    platform,
    parent: process.env,
    env: target.env,
    inheritNetwork: target.inheritNetwork,
  });
  const file = resolveCommand({ command, args, cwd, env, platform });
  const { eofGraceMs = CHILD_EOF_GRACE_MS, termGraceMs = CHILD_TERM_GRACE_MS, onStderr } = target;
  const common = commonOf(target);
  const program = { file, args, cwd, env, eofGraceMs, termGraceMs, onStderr, ...common };
  const server = new KeptServer({
    start: (events) => startServer(program, events),
    restarts,
    onDiagnostic: common.onDiagnostic,
  });
  const close = (): Promise<void> => server.close(closedHere(), false);
  return {
    exchange: server.exchange,
    closed: server.closed,
    get pid() {
      return server.pid;
    },
    stderr: () => server.stderr(),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function connectStreams(target: StdioStreams | WebStreams): StdioConnection {
  const server = openStreams(toStreamPair(target), commonOf(target));
  const close = (): Promise<void> => server.end(closedHere());
  return {
    exchange: server.exchange,
    closed: server.closed,
    pid: undefined,
    stderr: () => "",
    close,
    [Symbol.asyncDispose]: close,
  };
}

const commonOf = (target: ConnectStdioOptions): Pick<LinkOptions, "limits" | "onDiagnostic"> => ({
  limits: { ...DEFAULT_LIMITS, ...target.limits },
  onDiagnostic: target.onDiagnostic ?? firstOfEachKind(warn),
});

const closedHere = (): TransportError =>
  new TransportError("the connection was closed by this side", {
    code: "ERR_MCP_TRANSPORT_CLOSED",
  });

const warn: OnStdioDiagnostic = ({ message }) => process.emitWarning(message, "BowlineWarning");
