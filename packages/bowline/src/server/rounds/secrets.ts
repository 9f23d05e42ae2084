import { isJsonObject, type JsonObject } from "../../json/value.ts";

/** What a client would show in clear text and a model's log might keep. */
const SECRET =
  /pass-?(?:word|wd|phrase|code)|api-?key|(?:access|refresh|bearer|auth)-?token|(?:private|secret)-?key|client-?secret|(?:credit-?)?card-?number|\bcvv\b|\bcvc\b/i;

/**
 * Throws a `TypeError` for a form that asks for a credential: by its own rules the protocol takes those over
 * a page of the server's alone.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation
 */
export function assertNoSecret(form: { readonly properties: object }): void {
  for (const [name, property] of Object.entries(form.properties)) {
    const { title }: JsonObject = isJsonObject(property) ? property : {};
    const texts = [
      name.replace(/([a-z])([A-Z])/g, "$1-$2"),
      typeof title === "string" ? title : "",
    ];
    if (!texts.some((text) => SECRET.test(text.replace(/[\s_]+/g, "-")))) continue;
    const field = JSON.stringify(name);
    throw new TypeError(
      `elicit: the field ${field} asks for a secret: use elicitUrl, never a form`,
    );
  }
}
