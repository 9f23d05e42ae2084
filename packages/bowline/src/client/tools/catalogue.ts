import { DecodeError } from "../../base/errors.ts";
import { MAX_DEFINITIONS_BYTES, MAX_LIST_ITEMS } from "../../base/limits.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../json/value.ts";
import { headerParametersOf, type HeaderParameter } from "../../protocol/header-parameters.ts";
import type { Tool } from "../../protocol/tools.ts";
import { quoted } from "../printable.ts";
import type * as guards from "./guard.ts";

export type OnWarning = (message: string) => void;

export interface CatalogueOptions {
  /** Whether the transport has headers that arguments are mirrored in. */
  readonly mirrors: boolean;
  /** Whether results are checked against what tools promise of them. */
  readonly validates: boolean;
  readonly warn: OnWarning;
}

/** What is remembered of a tool for when it is called. */
interface Known {
  readonly parameters: readonly HeaderParameter[];
  readonly output: guards.OutputSchema | undefined;
  /** Its server says that one call more does no harm. */
  readonly isRepeatable: boolean;
}

type Guard = typeof guards;

/** What the lists of a server said of its tools. One that breaks a rule is left out of them, alone, with a warning. */
export class ToolCatalogue {
  readonly #options: CatalogueOptions;
  readonly #known = new Map<string, Known>();
  /** Pages that are kept are handed out again as they are. */
  readonly #taken = new WeakMap<readonly unknown[], readonly Tool[]>();
  #chars = 0;

  constructor(options: CatalogueOptions) {
    this.#options = options;
  }

  /** Remembers the tools of a page, and gives those that can be called. */
  async take(page: readonly unknown[]): Promise<readonly Tool[]> {
    const taken = this.#taken.get(page);
    if (taken !== undefined) return taken;
    const guard = page.some((tool) => this.#needsGuard(tool))
      ? await import("./guard.ts")
      : undefined;
    const tools = page.filter((tool): tool is Tool => this.#takeOne(tool, guard));
    if (Object.isFrozen(page)) this.#taken.set(page, tools);
    return tools;
  }

  /** None for a tool that was not listed yet. */
  parametersOf(name: string): readonly HeaderParameter[] {
    return this.#known.get(name)?.parameters ?? [];
  }

  /** Undefined for a tool that was not listed yet, or promises nothing. */
  outputOf(name: string): guards.OutputSchema | undefined {
    return this.#known.get(name)?.output;
  }

  /** By the word of its server; false for a tool that was not listed yet. */
  isRepeatable(name: string): boolean {
    return this.#known.get(name)?.isRepeatable ?? false;
  }

  #needsGuard(tool: unknown): boolean {
    if (!isJsonObject(tool) || !isJsonObject(tool["inputSchema"])) return false;
    return (
      tool["inputSchema"]["$schema"] !== undefined ||
      (this.#options.validates && tool["outputSchema"] !== undefined)
    );
  }

  #takeOne(tool: unknown, guard: Guard | undefined): boolean {
    if (!isJsonObject(tool) || typeof tool["name"] !== "string") {
      this.#options.warn("a tool without a name is left out");
      return false;
    }
    const name = tool["name"];
    this.#forget(name);
    try {
      this.#remember(name, this.#read(name, tool, guard));
      return true;
    } catch (error) {
      if (!DecodeError.is(error) && !(error instanceof TypeError)) throw error;
      this.#options.warn(`tool ${quoted(name)} is left out: ${quoted(error.message)}`);
      return false;
    }
  }

  /** Throws a `DecodeError` or a `TypeError` for a tool that breaks a rule. */
  #read(name: string, tool: JsonObject, guard: Guard | undefined): Known {
    const { inputSchema, outputSchema, annotations } = tool;
    if (!isJsonObject(inputSchema) || inputSchema["type"] !== "object") {
      throw new DecodeError('its inputSchema is no schema with type: "object"');
    }
    const { mirrors, validates } = this.#options;
    if (inputSchema["$schema"] !== undefined) guard?.assertDialect(inputSchema["$schema"]);
    const hints = isJsonObject(annotations) ? annotations : {};
    return {
      parameters: mirrors ? headerParametersOf(inputSchema) : [],
      output: validates ? this.#readOutput(name, outputSchema, guard) : undefined,
      isRepeatable: hints["readOnlyHint"] === true || hints["idempotentHint"] === true,
    };
  }

  #readOutput(
    name: string,
    schema: JsonValue | undefined,
    guard: Guard | undefined,
  ): guards.OutputSchema | undefined {
    if (schema === undefined || guard === undefined) return undefined;
    const output = guard.readOutputSchema(schema);
    if (output === undefined) {
      this.#options.warn(
        `results of tool ${quoted(name)} are not checked: its outputSchema has regular expressions`,
      );
    }
    return output;
  }

  /** The oldest make room: a server chooses how many names there are, and what they promise. */
  #remember(name: string, known: Known): void {
    this.#known.set(name, known);
    this.#chars += known.output?.chars ?? 0;
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MAX_LIST_ITEMS && this.#chars <= MAX_DEFINITIONS_BYTES) return;
      this.#forget(oldest);
    }
  }

  #forget(name: string): void {
    this.#chars -= this.#known.get(name)?.output?.chars ?? 0;
    this.#known.delete(name);
  }
}
