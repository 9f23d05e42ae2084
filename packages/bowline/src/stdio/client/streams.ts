import { Readable, Writable } from "node:stream";
import { TransportError } from "../../base/errors.ts";
import { kindOf } from "../../base/known-members.ts";
import { STREAM_END_GRACE_MS } from "../../base/limits.ts";
import type { Exchange } from "../../protocol/exchange.ts";
import type { StdioStreams, WebStreams } from "../target.ts";
import { openLink, type LinkOptions } from "./link.ts";

/** A pair of streams of Node. */
export type StreamPair = Pick<LinkOptions, "input" | "output">;

/** The server at the other end of two streams. */
export interface StreamServer {
  readonly exchange: Exchange;
  /** Settles with the reason when no call will be answered any more. */
  readonly closed: Promise<Error>;
  /** Fails the calls in flight and ends both streams. */
  end(reason: Error): Promise<void>;
}

/** Throws a `TypeError` for streams that give or take no bytes. */
export function toStreamPair(streams: StdioStreams | WebStreams): StreamPair {
  if ("readable" in streams) {
    const { readable, writable } = streams;
    if (!isWebReadable(readable)) throw notA("readable", "ReadableStream", readable);
    if (!isWebWritable(writable)) throw notA("writable", "WritableStream", writable);
    return { input: Readable.fromWeb(readable), output: Writable.fromWeb(writable) };
  }
  const { input, output } = streams;
  if (!isReadable(input)) throw notA("input", "Readable of Node", input);
  if (!isWritable(output)) throw notA("output", "Writable of Node", output);
  if (input.readableEncoding !== null) {
    throw new TypeError("connect: input has an encoding: it must give bytes, not text");
  }
  return { input, output };
}

export function openStreams(
  { input, output }: StreamPair,
  options: Pick<LinkOptions, "limits" | "onDiagnostic">,
): StreamServer {
  let markClosed: (reason: Error) => void;
  const closed = new Promise<Error>((settle) => (markClosed = settle));
  const end = async (reason: Error): Promise<void> => {
    link.end(reason);
    markClosed(reason);
    await endOutput(output);
    input.destroy();
  };
  const fail = (error: Error): void => void end(error);
  const link = openLink({ ...options, input, output, onFatal: fail });
  const lost = (how: string) => (cause?: Error) =>
    fail(
      new TransportError(`the connection ${how}`, {
        code: "ERR_MCP_TRANSPORT_CLOSED",
        ...(cause instanceof Error ? { cause } : {}),
      }),
    );
  input.on("end", lost("was closed by the server")).on("close", lost("is closed"));
  input.on("error", lost("cannot be read"));
  output.on("error", lost("cannot be written"));
  return { exchange: link.exchange, closed, end };
}

/** Lets what was sent leave, but does not wait for long on a server that takes nothing. */
async function endOutput(output: Writable): Promise<void> {
  await new Promise<void>((done) => {
    const late = setTimeout(done, STREAM_END_GRACE_MS);
    output.end(() => {
      clearTimeout(late);
      done();
    });
  });
  output.destroy();
}

const notA = (name: string, wanted: string, given: unknown): TypeError =>
  new TypeError(`connect: ${name} must be a ${wanted}, not ${kindOf(given)}`);

const has = (value: unknown, ...methods: readonly string[]): boolean =>
  methods.every((name) => typeof Object(value)[name] === "function");

// By what they can do: a stream may come from another copy of a library.
const isReadable = (value: unknown): value is Readable => has(value, "read", "pipe", "destroy");
const isWritable = (value: unknown): value is Writable => has(value, "write", "cork", "destroy");
const isWebReadable = (value: unknown): value is Parameters<typeof Readable.fromWeb>[0] =>
  has(value, "getReader", "cancel");
const isWebWritable = (value: unknown): value is Parameters<typeof Writable.fromWeb>[0] =>
  has(value, "getWriter", "abort");
