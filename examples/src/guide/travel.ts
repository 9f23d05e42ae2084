/** What the examples of asking stand on. */
import { createInterface } from "node:readline/promises";

const PRICES: Readonly<Record<string, number>> = { Oslo: 120, Rome: 90 };
const tickets = new Map<string, string>();

export const connectedAccounts: Set<string> = new Set();

export async function priceOf(city: string, signal?: AbortSignal): Promise<number> {
  signal?.throwIfAborted();
  return PRICES[city] ?? 200;
}

/** Books once for each id, however often it is asked. */
export async function book(to: string, price: number, id: string): Promise<string> {
  const known = tickets.get(id) ?? `${to}-${price}-${tickets.size + 1}`;
  tickets.set(id, known);
  return known;
}

/** Asks for one field after the other on the terminal; undefined when the user gives nothing. */
export async function askUser(
  message: string,
  fields: readonly string[],
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>> | undefined> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const content: Record<string, string> = {};
    for (const field of fields) {
      // oxlint-disable-next-line no-await-in-loop -- one question after the other
      const given = await terminal.question(`${message} ${field}: `, { signal });
      if (given === "") return undefined;
      content[field] = given;
    }
    return content;
  } finally {
    terminal.close();
  }
}
