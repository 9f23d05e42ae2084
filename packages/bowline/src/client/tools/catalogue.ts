import { DecodeError } from "../../base/errors.ts";
import { MAX_LIST_ITEMS, MAX_PEER_TEXT_CHARS } from "../../base/limits.ts";
import { headerParametersOf, type HeaderParameter } from "../../protocol/header-parameters.ts";
import type { Tool } from "../../protocol/tools.ts";

export type OnWarning = (message: string) => void;

/** What the lists of a server said of its tools: which arguments a transport with headers has to mirror. */
export class ToolCatalogue {
  readonly #parameters = new Map<string, readonly HeaderParameter[]>();
  readonly #warn: OnWarning;

  constructor(warn: OnWarning) {
    this.#warn = warn;
  }

  /** Remembers the tools, and gives those that can be called: one whose marks break a rule cannot. */
  take(tools: readonly Tool[]): readonly Tool[] {
    return tools.filter((tool) => this.#takeOne(tool));
  }

  /** None for a tool that was not listed yet. */
  parametersOf(name: string): readonly HeaderParameter[] {
    return this.#parameters.get(name) ?? [];
  }

  #takeOne({ name, inputSchema }: Tool): boolean {
    this.#parameters.delete(name);
    try {
      const parameters = headerParametersOf(inputSchema);
      if (parameters.length > 0) this.#remember(name, parameters);
      return true;
    } catch (error) {
      if (!DecodeError.is(error)) throw error;
      this.#warn(`tool ${printable(name)} is left out: ${printable(error.message)}`);
      return false;
    }
  }

  /** The oldest makes room: a server chooses how many names there are. */
  #remember(name: string, parameters: readonly HeaderParameter[]): void {
    const [oldest] = this.#parameters.keys();
    if (this.#parameters.size >= MAX_LIST_ITEMS && oldest !== undefined) {
      this.#parameters.delete(oldest);
    }
    this.#parameters.set(name, parameters);
  }
}

/** Text of a peer for a person to read: quoted, short, and without characters that act or hide. */
function printable(text: string): string {
  const plain = text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, "\u{FFFD}");
  return JSON.stringify(plain.slice(0, MAX_PEER_TEXT_CHARS));
}
