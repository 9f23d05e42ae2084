// #region server
import { createServer } from "bowline";
import { listen } from "bowline/node";
import * as z from "zod";

const server = createServer({ name: "clock", version: "1.0.0" }).tool(
  "now",
  {
    description: "The current time in a time zone",
    inputSchema: z.object({ timeZone: z.string().default("UTC") }),
    outputSchema: z.object({ time: z.string() }),
  },
  ({ timeZone }) => ({ time: new Date().toLocaleString("en-GB", { timeZone }) }),
);

export type Clock = typeof server;

const { url } = await listen(server, { port: Number(process.env["PORT"] ?? 3000) });
console.log(`listening on ${url}`);
// #endregion
