import type { SubscriptionFilter } from "../../protocol/subscriptions.ts";

/** What a server told, or may have told while nobody listened. */
export type Change =
  | { readonly kind: "toolsListChanged" | "promptsListChanged" | "resourcesListChanged" }
  | { readonly kind: "resourceUpdated"; readonly uri: string }
  /** The stream broke off and is open again, or more changed than is kept: anything of the filter may be different. */
  | { readonly kind: "missed" };

export interface ListenOptions {
  /** Ends the subscription; the iterator throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Longest wait for the server to accept, in milliseconds. Default: that of the client. */
  readonly timeoutMs?: number | undefined;
}

/**
 * An open subscription, for one consumer. Close it, or leave a `for await` over it.
 *
 * A stream that breaks off is opened again, later each time; what is told then begins with `missed`. The iterator throws
 * where it cannot be: the server refuses, or breaks the specification.
 */
export interface Listening extends AsyncIterableIterator<Change>, AsyncDisposable {
  /** What the server accepted of the filter, as of the newest stream. */
  readonly filter: SubscriptionFilter;
  close(): Promise<void>;
}
