import { assertOptions, type Known } from "../../base/known-members.ts";
import { isJsonObject, type JsonObject } from "../../json/value.ts";
import type { Call } from "../../protocol/call.ts";
import { missingCapability } from "../../protocol/errors.ts";
import type { CallContext } from "../../protocol/exchange.ts";
import { isMetaKey } from "../../protocol/request/meta-key.ts";
import type { Added } from "../call/runtime.ts";
import type { ToolDefinition } from "../define-tool.ts";
import type { Extension, ExtensionMethod, ToolExtension } from "./extension.ts";
import { wrong } from "../lists/definition.ts";
import { ASKING_METHODS } from "../context.ts";
import { TOOL_CONFIG } from "../tool.ts";
import { composeMiddleware, type Middleware } from "../middleware.ts";

/** What an extension looks like without the types of its members. */
type AnyExtension = Omit<Extension, "toolMembers" | "context"> & {
  readonly toolMembers?: {
    readonly [member: string]: (
      value: unknown,
      tool: { readonly name: string },
    ) => ToolExtension | undefined;
  };
  readonly context?: ((call: Call, context: CallContext) => object) | undefined;
};

const MEMBERS: Known<Extension> = {
  id: "any",
  capability: "object",
  methods: "object",
  resultTypes: "object",
  toolMembers: "object",
  context: "function",
  middleware: "function",
  "~types": "any",
};

/** The extensions of one server. */
export class Extensions implements Added {
  readonly #all: AnyExtension[] = [];
  readonly #methods = new Map<string, ExtensionMethod>();

  get isEmpty(): boolean {
    return this.#all.length === 0;
  }

  /** Throws a `TypeError` that names the extension and what is wrong with it. */
  add(extension: AnyExtension, isTaken: (method: string) => boolean): void {
    assertOptions("extend", extension, MEMBERS, { what: "an extension" });
    const { id, methods = {} } = extension;
    const label = `extension ${JSON.stringify(id)}`;
    assertId(label, id);
    if (this.#all.some((other) => other.id === id)) throw wrong(label, "it is taken");
    for (const [method, answer] of Object.entries(methods)) {
      if (isTaken(method) || this.#methods.has(method)) {
        throw wrong(label, `the method ${JSON.stringify(method)} is taken`);
      }
      if (typeof answer !== "function") throw wrong(label, `${method} is not a function`);
    }
    for (const member of Object.keys(extension.toolMembers ?? {})) {
      const isTakenMember =
        Object.hasOwn(TOOL_CONFIG, member) ||
        this.#all.some(({ toolMembers = {} }) => Object.hasOwn(toolMembers, member));
      if (isTakenMember) {
        throw wrong(label, `the member ${JSON.stringify(member)} of tools is taken`);
      }
    }
    this.#all.push(extension);
    for (const [method, answer] of Object.entries(methods)) {
      this.#methods.set(method, (call, context) => {
        if (isDeclared(extension, call)) return answer(call, context);
        throw missingCapability({ extensions: { [id]: {} } });
      });
    }
  }

  method(name: string): ExtensionMethod | undefined {
    return this.#methods.get(name);
  }

  capabilities(): { readonly [id: string]: JsonObject } | undefined {
    if (this.isEmpty) return undefined;
    return Object.fromEntries(this.#all.map(({ id, capability = {} }) => [id, capability]));
  }

  /** A tool's definition with what its extensions make of their members. */
  extendTool(definition: ToolDefinition): ToolDefinition {
    const { config, name } = definition;
    const present = this.#all
      .flatMap(({ toolMembers = {} }) => Object.entries(toolMembers))
      .filter(([member]) => Object.hasOwn(config, member));
    if (present.length === 0) return definition;
    const members = new Set(present.map(([member]) => member));
    const made = present.flatMap(([member, read]) => {
      const value: unknown = Reflect.get(config, member);
      return (value === undefined ? undefined : read(value, { name })) ?? [];
    });
    const core = Object.entries(config).filter(([member]) => !members.has(member));
    return { ...definition, config: made.reduce(withExtension, Object.fromEntries(core)) };
  }

  addMembers(target: object, call: Call, context: CallContext): void {
    for (const extension of this.#all) {
      if (extension.context === undefined || !isDeclared(extension, call)) continue;
      for (const [name, value] of Object.entries(extension.context(call, context))) {
        if (name in target) {
          throw wrong(`extension ${extension.id}`, `the context has a member ${name} already`);
        }
        Object.defineProperty(target, name, { value, enumerable: true });
      }
    }
  }

  /** The middleware of the declared extensions. */
  readonly layer: Middleware = (call, context, next) => {
    const declared = this.#all.filter((extension) => isDeclared(extension, call));
    const layers = declared.flatMap(({ middleware }) => middleware ?? []);
    return composeMiddleware(layers, next)(call, context);
  };

  /** Whether the client of this call knows what to make of such a result. */
  isKnown(resultType: string, call: Call): boolean {
    if (resultType === "complete") return true;
    if (resultType === "input_required") return ASKING_METHODS.has(call.method);
    return this.#all.some(
      (extension) =>
        isDeclared(extension, call) && extension.resultTypes?.includes(resultType) === true,
    );
  }
}

function assertId(label: string, id: unknown): void {
  if (typeof id === "string" && id.includes("/") && !id.endsWith("/") && isMetaKey(id)) return;
  throw wrong(label, "an id reads like com.example/name");
}

/** Asked anew for each request: nothing is carried over from an earlier one. */
function isDeclared({ id }: AnyExtension, { meta }: Call): boolean {
  const { extensions } = meta.clientCapabilities;
  return extensions !== undefined && Object.hasOwn(extensions, id);
}

type ToolConfig = ToolDefinition["config"];

function withExtension(config: ToolConfig, { meta, requires }: ToolExtension): ToolConfig {
  const { _meta } = config;
  return {
    ...config,
    ...(meta === undefined ? {} : { _meta: { ..._meta, ...meta } }),
    ...(requires === undefined ? {} : { requires: mergeObjects(config.requires, requires) }),
  };
}

/** Members of both, and of their members. */
function mergeObjects<T extends object>(one: T | undefined, other: T): T {
  const merged = { ...one, ...other };
  for (const [name, value] of Object.entries(one ?? {})) {
    const second: unknown = Reflect.get(other, name);
    if (isJsonObject(value) && isJsonObject(second)) {
      Object.assign(merged, { [name]: mergeObjects(value, second) });
    }
  }
  return merged;
}
