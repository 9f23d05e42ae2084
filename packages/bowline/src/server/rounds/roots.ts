import { isJsonObject } from "../../json/value.ts";
import type { Question } from "./question.ts";

/** Asks for the folders a client works in. */
export function rootsQuestion(): Question {
  const request = { method: "roots/list" } as const;
  return {
    kind: "roots",
    request,
    options: {},
    requires: { roots: {} },
    check: (response) => {
      const roots = isJsonObject(response) ? response["roots"] : undefined;
      return Array.isArray(roots) && roots.every(isRoot)
        ? { ok: true, value: roots }
        : { ok: false, issues: [{ path: "/roots", message: "must be a list of file:// URIs" }] };
    },
    again: () => request,
  };
}

function isRoot(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const { uri, name } = value;
  if (typeof uri !== "string" || !uri.startsWith("file://") || !URL.canParse(uri)) return false;
  return name === undefined || typeof name === "string";
}
