const MAX_KEY_CHARS = 256;
const LABEL = "[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?";
const KEY: RegExp = /* @__PURE__ */ new RegExp(
  `^(?:${LABEL}(?:\\.${LABEL})*/)?(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)?$`,
);

/**
 * Whether a key may stand in `_meta`: a name, after an optional prefix of dot-separated labels and `/`.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic#_meta
 */
export function isMetaKey(key: string): boolean {
  return key.length <= MAX_KEY_CHARS && KEY.test(key);
}
