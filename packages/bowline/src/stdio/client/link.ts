import type { Readable, Writable } from "node:stream";
import { LimitError, TransportError } from "../../base/errors.ts";
import { kindOf } from "../../base/known-members.ts";
import type { Exchange } from "../../protocol/exchange.ts";
import type { OnStdioDiagnostic } from "../diagnostic.ts";
import { LineReader } from "../lines.ts";
import { createStreamOutbox } from "../stream.ts";
import type { StdioClientLimits } from "../target.ts";
import { ClientPeer } from "./client-peer.ts";

export interface LinkOptions {
  /** What the server writes. */
  readonly input: Readable;
  /** What the server reads. */
  readonly output: Writable;
  readonly limits: StdioClientLimits;
  readonly onDiagnostic: OnStdioDiagnostic;
  /** The server behaves in a way that ends the connection. */
  readonly onFatal: (error: Error) => void;
}

/** The lines that go both ways over a pair of streams. */
export interface Link {
  readonly exchange: Exchange;
  /** Fails the calls in flight and all later ones. What was sent still leaves; nothing more is read. */
  end(reason: Error): void;
}

export function openLink(options: LinkOptions): Link {
  const { input, output, limits, onDiagnostic, onFatal } = options;
  const { outbox } = createStreamOutbox(output, {
    maxQueueBytes: limits.maxQueueBytes,
    onBlocked: () => undefined,
  });
  const peer = new ClientPeer({
    send: (line) => outbox.send(line),
    queuedBytes: () => outbox.length + output.writableLength,
    byteLength: (text) => Buffer.byteLength(text),
    json: limits,
    maxQueueBytes: limits.maxQueueBytes,
    onDiagnostic,
    onLagging: (lagging) => void (lagging ? input.pause() : input.resume()),
    onFatal,
  });
  const max = limits.maxResponseBytes;
  const lines = new LineReader(max, {
    line: (bytes) => peer.accept(bytes),
    oversized: () =>
      onFatal(
        new LimitError("maxResponseBytes", max, `the server sent a line of over ${max} bytes`),
      ),
    runaway: () => undefined,
  });
  input.on("data", (chunk: unknown) => {
    if (chunk instanceof Uint8Array) lines.push(chunk);
    else onFatal(new TransportError(`the input gave no bytes but a ${kindOf(chunk)}`));
  });
  input.on("end", () => lines.end());
  return {
    exchange: peer.exchange,
    end: (reason) => {
      peer.fail(reason);
      lines.stop();
      outbox.flush();
      outbox.close();
    },
  };
}
