import { createServer } from "bowline";
import * as z from "zod";

/** The server that every recipe serves. */
export const clock = createServer({ name: "clock", version: "1.0.0" }).tool(
  "zone",
  { description: "Greets a time zone", inputSchema: z.object({ name: z.string() }) },
  ({ name }) => `It is always now in ${name}.`,
);
