import { isJsonObject, type JsonObject, type JsonValue } from "../../json/value.ts";
import type { Dialect } from "./dialect.ts";

/** Stands for the address of a schema that has none. */
const NO_ADDRESS = "schema:///";

/** Where a reference leads, and the base of references there. */
interface Found {
  readonly schema: JsonValue;
  readonly base: string;
}

/** The addressable places inside one schema: by `$id`, anchor and JSON Pointer. */
export class ResourceIndex {
  readonly base: string = NO_ADDRESS;
  readonly #resources: Map<string, JsonValue> = new Map();
  readonly #anchors: Map<string, JsonObject> = new Map();
  readonly #dynamic: Map<string, JsonObject[]> = new Map();
  readonly #bases: Map<JsonObject, string> = new Map();

  constructor(root: JsonValue) {
    this.#resources.set(NO_ADDRESS, root);
  }

  /** Notes the names of a subschema; gives the base of references below it, or what is wrong. */
  add(node: JsonObject, outerBase: string, dialect: Dialect): string | TypeError {
    const base = this.#addId(node, outerBase, dialect);
    if (base instanceof TypeError) return base;
    this.#bases.set(node, base);
    if (dialect.name === "draft-07") return base;
    const dynamic = node["$dynamicAnchor"];
    for (const anchor of [node["$anchor"], dynamic]) {
      if (typeof anchor !== "string") continue;
      const fault = this.#addAnchor(node, base, anchor);
      if (fault !== undefined) return fault;
    }
    if (typeof dynamic === "string") {
      this.#dynamic.set(dynamic, [...(this.#dynamic.get(dynamic) ?? []), node]);
    }
    return base;
  }

  #addId(node: JsonObject, outerBase: string, dialect: Dialect): string | TypeError {
    const id = node["$id"];
    if (typeof id !== "string") return outerBase;
    const url = toUrl(id, outerBase);
    if (url === undefined) return new TypeError(`$id ${JSON.stringify(id)} is not a URI`);
    if (url.fragment !== "" && dialect.name === "draft-07" && id.startsWith("#")) {
      return this.#addAnchor(node, outerBase, id.slice(1)) ?? outerBase;
    }
    if (url.fragment !== "") {
      return new TypeError(`$id ${JSON.stringify(id)} has a fragment`);
    }
    const known = this.#resources.get(url.resource);
    if (known !== undefined && known !== node) {
      return new TypeError(`$id ${JSON.stringify(id)} names two subschemas`);
    }
    this.#resources.set(url.resource, node);
    return url.resource;
  }

  #addAnchor(node: JsonObject, base: string, anchor: string): TypeError | undefined {
    const key = `${base}#${anchor}`;
    const known = this.#anchors.get(key);
    this.#anchors.set(key, node);
    if (known === undefined || known === node) return undefined;
    return new TypeError(`the anchor ${JSON.stringify(anchor)} names two subschemas`);
  }

  /** Where a reference leads, or the reason why it leads nowhere. */
  resolve(reference: string, base: string, keyword: string): Found | string {
    const named = `${keyword} ${JSON.stringify(reference)}`;
    const url = toUrl(reference, base);
    const root = url && this.#resources.get(url.resource);
    if (url === undefined || root === undefined) {
      return `${named} leaves the document, and nothing is ever fetched:`;
    }
    const found = this.#find(root, url);
    if (found === undefined) return `${named} leads nowhere`;
    if (keyword === "$ref") return found;
    return this.#resolveDynamic(found) ?? `${named} may lead to several places: not supported`;
  }

  #find(root: JsonValue, url: Address): Found | undefined {
    if (url.fragment === "") return { schema: root, base: url.resource };
    if (!url.fragment.startsWith("/")) {
      const schema = this.#anchors.get(`${url.resource}#${url.fragment}`);
      return schema && { schema, base: this.#bases.get(schema) ?? url.resource };
    }
    let found: Found = { schema: root, base: url.resource };
    for (const token of url.fragment.slice(1).split("/")) {
      const schema = member(found.schema, token.replaceAll("~1", "/").replaceAll("~0", "~"));
      if (schema === undefined) return undefined;
      const base = isJsonObject(schema) ? this.#bases.get(schema) : undefined;
      found = { schema, base: base ?? found.base };
    }
    return found;
  }

  /** The scope decides between dynamic anchors of one name; with a single one it has no say. */
  #resolveDynamic(found: Found): Found | undefined {
    if (!isJsonObject(found.schema)) return found;
    const name = found.schema["$dynamicAnchor"];
    if (typeof name !== "string") return found;
    return (this.#dynamic.get(name)?.length ?? 0) > 1 ? undefined : found;
  }
}

interface Address {
  readonly resource: string;
  /** Decoded. */
  readonly fragment: string;
}

function toUrl(reference: string, base: string): Address | undefined {
  try {
    const url = new URL(reference, base);
    const fragment = decodeURIComponent(url.hash.slice(1));
    url.hash = "";
    return { resource: url.href, fragment };
  } catch (error) {
    if (error instanceof TypeError || error instanceof URIError) return undefined;
    throw error;
  }
}

function member(value: JsonValue, name: string): JsonValue | undefined {
  if (Array.isArray(value))
    return /^(?:0|[1-9][0-9]*)$/.test(name) ? value[Number(name)] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
