/** What is known of the variables of a template whose text is only known at run time. */
interface AnyVariables {
  readonly [name: string]: string | readonly string[] | undefined;
}

/**
 * The variables a match of the template `U` yields: `{a}` is a string, `{a*}` a list, and the
 * variables of `{;a}`, `{?a}` and `{&a}` are optional. Only a literal type says its variables; a
 * plain `string` stands for any.
 */
export type VariablesOf<U extends string> = U extends unknown
  ? {} extends Record<U, unknown>
    ? AnyVariables
    : Flat<InTemplate<U>>
  : never;

type Flat<T> = { readonly [K in keyof T]: T[K] };

type InTemplate<U extends string, Found = {}> = U extends `${string}{${infer E}}${infer Rest}`
  ? InTemplate<Rest, Found & InExpression<E>>
  : Found;

type InExpression<E extends string> = E extends `${";" | "?" | "&"}${infer List}`
  ? Partial<InList<List>>
  : E extends `${"+" | "#" | "." | "/"}${infer List}`
    ? InList<List>
    : InList<E>;

type InList<L extends string, Found = {}> = L extends `${infer First},${infer Rest}`
  ? InList<Rest, Found & Single<First>>
  : Found & Single<L>;

type Single<V extends string> = V extends `${infer Name}*`
  ? { readonly [K in Name]: readonly string[] }
  : V extends `${infer Name}:${string}`
    ? { readonly [K in Name]: string }
    : { readonly [K in V]: string };
