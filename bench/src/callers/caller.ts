/** How to reach the server whose callers are measured. */
export type Reach =
  | { readonly transport: "http"; readonly url: string }
  | { readonly transport: "stdio"; readonly command: string; readonly args: readonly string[] };

/** A client that is connected, in this process. */
export interface Calling {
  /** Calls the tool `add`; the text of its result. */
  add(a: number, b: number): Promise<string>;
}

/**
 * One implementation of a client. Its packages are loaded by its function, not by its module, so that the process of
 * one never holds another.
 */
export interface Caller {
  readonly name: string;
  connect(reach: Reach): Promise<Calling>;
}

interface Result {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
}

export function textOf(result: Result): string {
  return result.content[0]?.text ?? "";
}
