import { createClient, createServer } from "bowline";

// #region resource
const settings = { theme: "dark" };

export const server = createServer({ name: "atlas", version: "1.0.0" }).resource(
  "config://atlas",
  { mimeType: "application/json", cacheHints: { ttlMs: 60_000, cacheScope: "public" } },
  () => JSON.stringify(settings),
);
// #endregion

// #region template
const cities: Readonly<Record<string, readonly string[]>> = {
  no: ["Bergen", "Oslo"],
  pe: ["Cusco", "Lima"],
};

server.resourceTemplate(
  "city://{country}/{name}",
  {
    mimeType: "text/plain",
    complete: {
      country: () => Object.keys(cities),
      name: (typed, { country = "" }) =>
        (cities[country] ?? []).filter((name) => name.startsWith(typed)),
    },
  },
  ({ country, name }) => `${name} is a city in ${country}.`,
);
// #endregion

// #region updated
export function changeTheme(theme: string): void {
  settings.theme = theme;
  server.resourceUpdated("config://atlas");
}
// #endregion

// #region complete
export async function suggestCities(country: string, typed: string): Promise<readonly string[]> {
  await using client = createClient(server);
  const { values } = await client.complete({
    ref: { type: "ref/resource", uri: "city://{country}/{name}" },
    argument: { name: "name", value: typed },
    context: { arguments: { country } },
  });
  return values;
}
// #endregion
