import type { Writable } from "node:stream";
import { Outbox } from "./outbox.ts";

/** `write` of a stream, for text. */
export type WriteText = (
  text: string,
  encoding: BufferEncoding,
  done?: (error?: Error | null) => void,
) => boolean;

export interface StreamOutboxOptions {
  readonly maxQueueBytes: number;
  /** Takes the place of the stream's own `write`. */
  readonly write?: WriteText | undefined;
  /** The other side fell behind, or caught up again. */
  readonly onBlocked: (blocked: boolean) => void;
}

/** An outbox that writes to a stream, and a way to wait until the stream has passed everything on. */
export interface StreamOutbox {
  readonly outbox: Outbox;
  /** Settles when all that was sent has left the process, or cannot leave it any more. */
  readonly flushed: () => Promise<void>;
}

export function createStreamOutbox(stream: Writable, options: StreamOutboxOptions): StreamOutbox {
  const write: WriteText = options.write ?? stream.write.bind(stream);
  const outbox = new Outbox(
    {
      // Latin-1 is the cheaper way out for text that is ASCII, as most messages are.
      write: (text) =>
        write(text, Buffer.byteLength(text) === text.length ? "latin1" : "utf8", undefined),
      // A handler's next await comes after one tick of the promise queue: answers of a turn gather.
      schedule: (run) => queueMicrotask(() => process.nextTick(run)),
      onBlocked: options.onBlocked,
    },
    options.maxQueueBytes,
  );
  stream.on("drain", () => outbox.drained());
  return {
    outbox,
    flushed: async () => {
      outbox.flush();
      await outbox.ready();
      outbox.flush();
      if (!stream.writable) return;
      await new Promise<void>((resolve) => write("", "utf8", () => resolve()));
    },
  };
}
