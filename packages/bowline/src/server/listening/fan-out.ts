import { isJsonObject, type JsonValue } from "../../json/value.ts";
import type { ListKind } from "../lists/collection.ts";

/** What an engine has to offer for changes to reach listeners on other replicas. */
export interface ChangeHub {
  /** Tells every subscriber of a topic, this process included. Hints: a message may be lost. */
  publish(topic: string, message: JsonValue): Promise<void>;
  subscribe(topic: string, listener: HubListener): Promise<{ close(): Promise<void> }>;
}

export interface HubListener {
  onMessage(message: JsonValue): void;
  /** Messages may have been missed: the connection was lost and is back. */
  onGap?(): void;
}

/** What changed on one replica. */
export type Change = { readonly list: ListKind } | { readonly uri: string };

interface FanOutOptions {
  readonly hub: ChangeHub;
  readonly topic: string;
  readonly report: (error: unknown) => void;
  /** Told of changes on other replicas. */
  readonly onChange: (change: Change) => void;
  readonly onGap: () => void;
}

const LISTS: ReadonlySet<unknown> = new Set<ListKind>([
  "tools",
  "prompts",
  "resources",
  "resourceTemplates",
]);

/** Carries the changes of one server to its replicas, and theirs to it for as long as anyone listens. */
export class FanOut {
  readonly #options: FanOutOptions;
  readonly #origin: string = crypto.randomUUID();
  #subscription: Promise<{ close(): Promise<void> }> | undefined;

  constructor(options: FanOutOptions) {
    this.#options = options;
  }

  /** What fails is reported: the listeners of this process have been told already. */
  publish(change: Change): void {
    const { hub, report, topic } = this.#options;
    hub.publish(topic, { origin: this.#origin, ...change }).catch(report);
  }

  /** Settles once changes arrive; rejects where the engine refuses. */
  async open(): Promise<void> {
    const { hub, onGap, topic } = this.#options;
    this.#subscription ??= hub.subscribe(topic, {
      onMessage: (message) => this.#receive(message),
      onGap,
    });
    try {
      await this.#subscription;
    } catch (error) {
      this.#subscription = undefined;
      throw error;
    }
  }

  close(): void {
    const subscription = this.#subscription;
    this.#subscription = undefined;
    subscription?.then((open) => open.close()).catch(this.#options.report);
  }

  #receive(message: JsonValue): void {
    const { origin, list, uri } = isJsonObject(message) ? message : {};
    if (origin === this.#origin) return;
    const { onChange, report } = this.#options;
    if (typeof origin === "string" && isList(list)) onChange({ list });
    else if (typeof origin === "string" && typeof uri === "string") onChange({ uri });
    else report(new TypeError("a message between replicas is not of this version"));
  }
}

const isList = (value: unknown): value is ListKind => LISTS.has(value);
