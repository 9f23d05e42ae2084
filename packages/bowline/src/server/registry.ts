import { utf8Length } from "../base/bytes.ts";
import { LimitError } from "../base/errors.ts";
import {
  MAX_DEFINITIONS_BYTES,
  MAX_PROMPTS,
  MAX_RESOURCES,
  MAX_RESOURCE_TEMPLATES,
  MAX_TOOLS,
} from "../base/limits.ts";
import { ResourceFinder } from "./call/find-resource.ts";
import { Collection, type Entry, type ListKind } from "./lists/collection.ts";
import type { PromptEntry } from "./prompt.ts";
import type { ResourceEntry, TemplateEntry } from "./resource.ts";
import type { ToolEntry } from "./tool.ts";

/** A part of the protocol that exists once a server has something behind it, and from then on. */
export interface Offer {
  readonly wasOffered: boolean;
}

/** Everything a server offers. */
export class Registry {
  readonly tools: Collection<ToolEntry> = new Collection("tools", "tool", MAX_TOOLS);
  readonly prompts: Collection<PromptEntry> = new Collection("prompts", "prompt", MAX_PROMPTS);
  readonly resources: Collection<ResourceEntry> = new Collection(
    "resources",
    "resource",
    MAX_RESOURCES,
  );
  readonly templates: Collection<TemplateEntry> = new Collection(
    "resourceTemplates",
    "resource template",
    MAX_RESOURCE_TEMPLATES,
  );
  readonly finder: ResourceFinder;
  /** Whether resources or templates were ever offered: they share their methods. */
  readonly readable: Offer;
  /** Whether arguments or variables of anything were ever completed. */
  readonly completable: { wasOffered: boolean } = { wasOffered: false };
  readonly #onChange: (kind: ListKind) => void;
  #bytes = 0;

  constructor(onChange: (kind: ListKind) => void) {
    this.#onChange = onChange;
    const { resources, templates } = this;
    this.finder = new ResourceFinder(resources, templates);
    this.readable = {
      get wasOffered() {
        return resources.wasOffered || templates.wasOffered;
      },
    };
  }

  /** Adds all of them, or throws and adds none. */
  add<E extends Entry>(collection: Collection<E>, entries: readonly E[]): void {
    let bytes = this.#bytes;
    const seen = new Set<string>();
    for (const { key, label, definition } of entries) {
      if (seen.has(key) || collection.get(key) !== undefined) {
        throw new TypeError(`${label}: the name is taken`);
      }
      seen.add(key);
      bytes += utf8Length(JSON.stringify(definition));
      if (bytes > MAX_DEFINITIONS_BYTES) throw tooMuch(label);
    }
    if (entries[0] !== undefined) collection.assertRoom(entries[0].label, entries.length);
    this.#bytes = bytes;
    for (const entry of entries) {
      collection.set(entry);
      if (entry.completers !== undefined && entry.completers.size > 0)
        this.completable.wasOffered = true;
    }
    if (entries.length > 0) this.#onChange(collection.kind);
  }

  remove<E extends Entry>(collection: Collection<E>, key: string): boolean {
    const entry = collection.delete(key);
    if (entry === undefined) return false;
    this.#bytes -= utf8Length(JSON.stringify(entry.definition));
    this.#onChange(collection.kind);
    return true;
  }
}

function tooMuch(label: string): LimitError {
  const message = `${label}: all definitions together pass ${MAX_DEFINITIONS_BYTES} bytes`;
  return new LimitError("definitionsBytes", MAX_DEFINITIONS_BYTES, message);
}
