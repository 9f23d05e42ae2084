import { type CompiledForm, compileForm } from "./compile-form.ts";
import type { FormSchema } from "./form-schema.ts";

/** The forms of one server: a schema that is asked with again is not compiled again. */
export class FormCache {
  readonly #forms = new WeakMap<FormSchema, CompiledForm>();

  /** Throws what `compileForm` throws. */
  compile(schema: FormSchema, label: string): CompiledForm {
    const known = this.#forms.get(schema);
    if (known !== undefined) return known;
    const form = compileForm(schema, label);
    this.#forms.set(schema, form);
    return form;
  }
}
