/** Where a server is reached. */
export type Target =
  | { readonly transport: "http"; readonly url: string }
  | { readonly transport: "stdio"; readonly command: string; readonly args: readonly string[] };

export interface PromptSummary {
  readonly name: string;
  readonly arguments: readonly string[];
}

export type Reference =
  | { readonly type: "ref/prompt"; readonly name: string }
  | { readonly type: "ref/resource"; readonly uri: string };

/**
 * What every peer can be asked to do against one server, in a shape of our own.
 *
 * All members reject with what the peer itself complained of. `close` ends what `open` started.
 */
export interface Session {
  revision(): Promise<string | undefined>;
  tools(): Promise<readonly string[]>;
  /** The text of the result; rejects when the tool reports an error. */
  call(name: string, args: Readonly<Record<string, unknown>>): Promise<string>;
  resources(): Promise<readonly string[]>;
  templates(): Promise<readonly string[]>;
  read(uri: string): Promise<string>;
  prompts(): Promise<readonly PromptSummary[]>;
  prompt(name: string, args: Readonly<Record<string, string>>): Promise<string>;
  complete(reference: Reference, argument: string, prefix: string): Promise<readonly string[]>;
  /** What it answers where the server asks; undefined for a peer that cannot be asked. */
  readonly answersWith?: { readonly title: string } | undefined;
  close(): Promise<void>;
}

/** A published program that can open sessions. */
export interface Peer {
  readonly name: string;
  /** Why it cannot run here, if it cannot. */
  readonly unavailable?: string;
  open(target: Target): Promise<Session>;
}
