import { createParser, type EventSourceParser } from "eventsource-parser";
import { DecodeError, LimitError, type McpError } from "../base/errors.ts";
import { MAX_RESPONSE_BYTES, MAX_RETRY_MS, MIN_RETRY_MS } from "../base/limits.ts";
import { LineEnds } from "./line-ends.ts";
import { muteUnknownFields } from "./unknown-fields.ts";

export interface ServerSentEvent {
  /** `"message"` where the stream names none. */
  readonly name: string;
  readonly data: string;
  readonly id: string | undefined;
}

export interface EventDecoderOptions {
  readonly onEvent: (event: ServerSentEvent) => void;
  /** The stream asks to wait so long before connecting again; 1 to 60 seconds, whatever it says. */
  readonly onRetry?: ((retryMs: number) => void) | undefined;
  /** Characters of the data of one event. */
  readonly maxEventChars?: number | undefined;
}

/** What one event may take besides its data: the names of its fields, and a line that is no data. */
const MAX_OTHER_CHARS = 1024;

/**
 * Reads an event stream that comes in pieces, in time linear in its bytes.
 *
 * An event that the stream does not finish is never reported.
 */
export class EventDecoder {
  readonly #text = new TextDecoder("utf-8", { fatal: true });
  readonly #lineEnds = new LineEnds();
  readonly #parser: EventSourceParser;
  #failure: McpError | undefined;

  constructor(options: EventDecoderOptions) {
    const { onEvent, onRetry, maxEventChars = MAX_RESPONSE_BYTES } = options;
    this.#parser = createParser({
      maxBufferSize: maxEventChars + MAX_OTHER_CHARS,
      onEvent: ({ event = "message", data, id }) => {
        if (data.length > maxEventChars) this.#failure ??= tooLarge(maxEventChars);
        if (this.#failure === undefined) onEvent({ name: event, data, id });
      },
      onRetry: (ms) => onRetry?.(Math.min(Math.max(ms, MIN_RETRY_MS), MAX_RETRY_MS)),
      onError: ({ type }) => {
        // Other complaints are about fields that readers are told to ignore.
        if (type === "max-buffer-size-exceeded") this.#failure ??= tooLarge(maxEventChars);
      },
    });
    // The parser looks for a mark of another encoding in the first piece it gets.
    this.#parser.feed("");
  }

  /**
   * Takes the next bytes, cut anywhere, and reports the events they complete before it returns.
   *
   * Throws `DecodeError` where they are not UTF-8 and `LimitError` where an event is too large, and
   * then again on every further piece.
   */
  push(chunk: Uint8Array): void {
    this.#refuseBroken();
    this.#parser.feed(muteUnknownFields(this.#lineEnds.normalize(this.#decode(chunk))));
    this.#refuseBroken();
  }

  #refuseBroken(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  #decode(chunk: Uint8Array): string {
    try {
      return this.#text.decode(chunk, { stream: true });
    } catch (cause) {
      this.#failure = new DecodeError("the event stream is not valid UTF-8", { cause });
      throw this.#failure;
    }
  }
}

/**
 * The messages of an event stream: the data of every event that is called `message` and is not empty.
 *
 * Ends with the stream. Throws what `EventDecoder` throws; the stream is cancelled then, and also when
 * the caller stops early.
 */
export async function* decodeMessages(
  stream: ReadableStream<Uint8Array>,
  options: Omit<EventDecoderOptions, "onEvent"> = {},
): AsyncGenerator<string, void, void> {
  let messages: string[] = [];
  const decoder = new EventDecoder({
    ...options,
    onEvent: ({ name, data }) => {
      if (name === "message" && data !== "") messages.push(data);
    },
  });
  for await (const chunk of stream) {
    const failure = failureOf(() => decoder.push(chunk));
    const ready = messages;
    messages = [];
    // What came before an event that is too large counts, however the stream was cut.
    yield* ready;
    if (failure !== undefined) throw failure.error;
  }
}

function failureOf(run: () => void): { readonly error: unknown } | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    return { error };
  }
}

function tooLarge(max: number): LimitError {
  return new LimitError("maxEventChars", max, `an event is larger than ${max} characters`);
}
