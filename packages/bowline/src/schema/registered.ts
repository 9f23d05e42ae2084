/** The static types of one tool: what a client sends and what it gets. */
export interface ToolTypes<A = unknown, R = unknown> {
  readonly args: A;
  readonly result: R;
}

/** The static type of what a client sends to one prompt. */
export interface PromptTypes<A = unknown> {
  readonly args: A;
}

/** Arguments nothing is known about. */
interface UnknownArguments {
  readonly [name: string]: unknown;
}

/** Tools nothing is known about: any name, any arguments, an unknown result. */
export interface AnyTools {
  readonly [name: string]: ToolTypes<UnknownArguments>;
}

/** The arguments of a prompt are strings on the wire. */
export interface StringArguments {
  readonly [name: string]: string | undefined;
}

/** Prompts nothing is known about. */
export interface AnyPrompts {
  readonly [name: string]: PromptTypes<StringArguments>;
}

/** The tools of a server's type, read from a member that exists for the compiler only. An empty record means that nothing is known. */
export type ToolsOfServer<S> = S extends { readonly "~tools"?: infer T extends object }
  ? Known<T, AnyTools>
  : AnyTools;

/** The prompts of a server's type. An empty record means that nothing is known. */
export type PromptsOfServer<S> = S extends { readonly "~prompts"?: infer P extends object }
  ? Known<P, AnyPrompts>
  : AnyPrompts;

type Known<T, Else> = [keyof T] extends [never] ? Else : T;
