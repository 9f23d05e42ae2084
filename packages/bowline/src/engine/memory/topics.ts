import { LimitError } from "../../base/errors.ts";
import type { FaultReport } from "../../base/fault-report.ts";
import { MAX_UNTAKEN_MESSAGES } from "../../base/limits.ts";
import type { MaybePromise } from "../../base/maybe-promise.ts";
import type { JsonValue } from "../../json/value.ts";
import { assertListener, measureName } from "../arguments.ts";
import type { TopicListener } from "../contract.ts";
import { decodeText, encodeMessage } from "../encode.ts";

/** The topics of one store. A topic is there while it has a listener. */
export class MemoryTopics {
  readonly #topics: Map<string, Set<Inbox>> = new Map();
  readonly #report: FaultReport;
  readonly #maxSubscriptions: number;
  #subscriptions = 0;

  constructor(maxSubscriptions: number, report: FaultReport) {
    this.#maxSubscriptions = maxSubscriptions;
    this.#report = report;
  }

  publish(topic: string, message: JsonValue): void {
    measureName(topic, "topic");
    const { text } = encodeMessage(message);
    for (const inbox of this.#topics.get(topic) ?? []) inbox.post(text);
  }

  /** Returns what ends the subscription, however often it is called. */
  subscribe(topic: string, listener: TopicListener): () => void {
    measureName(topic, "topic");
    assertListener(listener);
    const max = this.#maxSubscriptions;
    if (this.#subscriptions >= max) {
      throw new LimitError("maxSubscriptions", max, `${max} subscriptions are open`);
    }
    const inbox = new Inbox(listener, this.#report);
    const inboxes = this.#topics.get(topic) ?? new Set();
    this.#topics.set(topic, inboxes.add(inbox));
    this.#subscriptions++;
    return () => {
      if (!inboxes.delete(inbox)) return;
      inbox.close();
      this.#subscriptions--;
      if (inboxes.size === 0) this.#topics.delete(topic);
    };
  }
}

/** Messages on their way to one listener. */
class Inbox {
  readonly #listener: TopicListener;
  readonly #report: FaultReport;
  #waiting: string[] = [];
  #hasGap = false;
  #isScheduled = false;
  #isClosed = false;

  constructor(listener: TopicListener, report: FaultReport) {
    this.#listener = listener;
    this.#report = report;
  }

  post(text: string): void {
    if (this.#waiting.length >= MAX_UNTAKEN_MESSAGES) {
      this.#waiting = [];
      this.#hasGap = true;
    }
    this.#waiting.push(text);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(this.#deliver);
  }

  close(): void {
    this.#isClosed = true;
    this.#waiting = [];
  }

  readonly #deliver = (): void => {
    const texts = this.#waiting;
    const hasGap = this.#hasGap;
    this.#waiting = [];
    this.#hasGap = false;
    this.#isScheduled = false;
    if (hasGap) this.#tell(() => this.#listener.onGap?.());
    for (const text of texts) this.#tell(() => this.#listener.onMessage(decodeText(text)));
  };

  #tell(say: () => MaybePromise<void>): void {
    if (this.#isClosed) return;
    try {
      const answer = say();
      if (isPromise(answer)) answer.then(undefined, this.#fail);
    } catch (error) {
      this.#fail(error);
    }
  }

  readonly #fail = (error: unknown): void => {
    this.#report(error, "engine listener");
  };
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value;
}
