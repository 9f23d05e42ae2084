import { isJsonObject, type JsonObject } from "../../json/value.ts";

/** What a client would show in clear text and a model's log might keep: how the name of a field may end. */
const SECRETS: ReadonlySet<string> = new Set([
  "password",
  "pass word",
  "passwd",
  "pwd",
  "passphrase",
  "pass phrase",
  "passcode",
  "pass code",
  "secret",
  "token",
  "credential",
  "credentials",
  "otp",
  "pin",
  "cvv",
  "cvc",
  "apikey",
  "api key",
  "access key",
  "private key",
  "secret key",
  "card number",
  "security code",
]);

/**
 * Throws a `TypeError` for a form that asks for a credential: by its own rules the protocol takes those over
 * a page of the server's alone.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation
 */
export function assertNoSecret(form: { readonly properties: object }): void {
  for (const [name, property] of Object.entries(form.properties)) {
    const { title }: JsonObject = isJsonObject(property) ? property : {};
    if (!isSecret(name) && !(typeof title === "string" && isSecret(title))) continue;
    const field = JSON.stringify(name);
    throw new TypeError(
      `elicit: the field ${field} asks for a secret: use elicitUrl, never a form`,
    );
  }
}

/** Whole words, at the end: a `passwordPolicy` is none. */
function isSecret(text: string): boolean {
  const words = text
    .replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .filter((word) => word !== "");
  return SECRETS.has(words.slice(-1).join(" ")) || SECRETS.has(words.slice(-2).join(" "));
}
