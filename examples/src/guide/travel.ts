/** What the examples of asking stand on. */

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
