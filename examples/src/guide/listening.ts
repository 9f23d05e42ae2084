import type { Client } from "bowline";

// #region listen
export async function followTools(client: Client, show: (names: string[]) => void): Promise<void> {
  await using changes = await client.listen({ toolsListChanged: true });
  for await (const { kind } of changes) {
    if (kind === "toolsListChanged" || kind === "missed") {
      show((await client.listTools()).map(({ name }) => name));
    }
  }
}
// #endregion
