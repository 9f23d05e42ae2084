import { createClient, createServer, defineTool, ToolError } from "bowline";
import * as z from "zod";

// #region tool
const stations = new Map([
  ["Oslo", 4],
  ["Lima", 18],
]);

export const server = createServer({ name: "weather", version: "1.0.0" }).tool(
  "forecast",
  {
    description: "The temperature in a city, now",
    inputSchema: z.object({ city: z.string(), unit: z.enum(["C", "F"]).default("C") }),
    outputSchema: z.object({ degrees: z.number(), unit: z.enum(["C", "F"]) }),
    annotations: { readOnlyHint: true },
  },
  ({ city, unit }) => {
    const celsius = stations.get(city);
    if (celsius === undefined) throw new ToolError(`there is no station in ${city}`);
    return { degrees: unit === "C" ? celsius : celsius * 1.8 + 32, unit };
  },
);
// #endregion

// #region json-schema
server.tool(
  "stations",
  {
    description: "The cities with a station",
    inputSchema: {
      type: "object",
      properties: { prefix: { type: "string", maxLength: 40 } },
      required: ["prefix"],
    },
  },
  ({ prefix }) => [...stations.keys()].filter((city) => city.startsWith(prefix)).join(", "),
);
// #endregion

// #region define
const degrees = defineTool(
  "to_fahrenheit",
  { inputSchema: z.object({ celsius: z.number() }) },
  ({ celsius }) => `${celsius * 1.8 + 32} °F`,
);

export const large = createServer({ name: "weather", version: "1.0.0" }).add(degrees);
// #endregion

// #region client
export async function warmest(): Promise<number | undefined> {
  await using client = createClient(server);
  const result = await client.callTool("forecast", { city: "Lima" });
  if (result.isError) return undefined;
  return result.structuredContent.degrees; // number, known from outputSchema
}
// #endregion
