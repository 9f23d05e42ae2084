import type { MaybePromise } from "../../base/maybe-promise.ts";
import { compileSchema, type Check } from "../compile.ts";
import type { FormSchema } from "./form-schema.ts";
export interface CompiledForm {
  readonly requestedSchema: any;
  check(content: unknown): MaybePromise<Check>;
}
export class FormCache {
  readonly #known = new WeakMap<object, CompiledForm>();
  compile(schema: FormSchema, label: string): CompiledForm {
    const known = this.#known.get(schema);
    if (known) return known;
    const { json, check } = compileSchema(schema as any, { io: "input", label });
    const form = { requestedSchema: json, check: async (value: unknown) => check(value) };
    this.#known.set(schema, form);
    return form;
  }
}
