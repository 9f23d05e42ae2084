import { expectTypeOf } from "vitest";
import type { TemplateValues } from "../../src/uri/expand.ts";
import type { VariablesOf } from "../../src/uri/variables.ts";

type AnyVariables = { readonly [name: string]: string | readonly string[] | undefined };
type List = readonly string[];

// oxlint-disable-next-line typescript/no-generated-empty-object-type -- it is what the test is about
expectTypeOf<keyof VariablesOf<"config://app">>().toBeNever();
expectTypeOf<VariablesOf<"city://{country}/{name}">>().toEqualTypeOf<{
  readonly country: string;
  readonly name: string;
}>();
expectTypeOf<VariablesOf<"{a,b*,c:3}">>().toEqualTypeOf<{
  readonly a: string;
  readonly b: List;
  readonly c: string;
}>();
expectTypeOf<VariablesOf<"file:///{+path}">>().toEqualTypeOf<{ readonly path: string }>();
expectTypeOf<VariablesOf<"{#part}">>().toEqualTypeOf<{ readonly part: string }>();
expectTypeOf<VariablesOf<"v{.a,b}">>().toEqualTypeOf<{ readonly a: string; readonly b: string }>();
expectTypeOf<VariablesOf<"x{/a,b*}">>().toEqualTypeOf<{ readonly a: string; readonly b: List }>();
expectTypeOf<VariablesOf<"x{?a,b*,c:2}">>().toEqualTypeOf<{
  readonly a?: string;
  readonly b?: List;
  readonly c?: string;
}>();
expectTypeOf<VariablesOf<"x{?a}{&b}">>().toEqualTypeOf<{
  readonly a?: string;
  readonly b?: string;
}>();
expectTypeOf<VariablesOf<"x{;a}">>().toEqualTypeOf<{ readonly a?: string }>();
expectTypeOf<VariablesOf<"note://{id}{/path*}{?v}">>().toEqualTypeOf<{
  readonly id: string;
  readonly path: List;
  readonly v?: string;
}>();

// A variable that stands twice is there if one of its mentions must be.
expectTypeOf<VariablesOf<"{a}{?a}">>().toEqualTypeOf<{ readonly a: string }>();
expectTypeOf<VariablesOf<"{a:1}/{a}">>().toEqualTypeOf<{ readonly a: string }>();
expectTypeOf<VariablesOf<"{__proto__}{constructor}">>().toEqualTypeOf<{
  readonly __proto__: string;
  readonly constructor: string;
}>();
expectTypeOf<VariablesOf<"{last.name}">>().toEqualTypeOf<{ readonly "last.name": string }>();

// Text that is only known at run time.
expectTypeOf<VariablesOf<string>>().toEqualTypeOf<AnyVariables>();
expectTypeOf<VariablesOf<`note://${string}`>>().toEqualTypeOf<AnyVariables>();
expectTypeOf<VariablesOf<`note://{id}/${string}`>>().toEqualTypeOf<AnyVariables>();
expectTypeOf<VariablesOf<"{a}" | "{b}">>().toEqualTypeOf<
  { readonly a: string } | { readonly b: string }
>();

declare function on<const U extends string>(
  template: U,
  handler: (variables: VariablesOf<U>) => string,
): void;

on("note://{id}{?v}", ({ id, v }) => id + (v ?? ""));
on("tree{/path*}", ({ path }) => path.join("/"));
// @ts-expect-error there is no such variable
on("note://{id}", ({ name }) => name);
// @ts-expect-error an optional variable may be absent
on("note{?v}", ({ v }) => v.trim());
// @ts-expect-error a list is no string
on("tree{/path*}", ({ path }) => path.trim());

// What a match yields can be expanded again.
declare const variables: VariablesOf<"note://{id}{/path*}{?v}">;
variables satisfies TemplateValues;

// A long template is within the depth the compiler allows.
type Two<S extends string> = `${S}${S}`;
type Long = Two<Two<Two<Two<Two<Two<"/{a}{?b*}">>>>>>;
expectTypeOf<VariablesOf<Long>>().toEqualTypeOf<{ readonly a: string; readonly b?: List }>();
