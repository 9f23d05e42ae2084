import { createServer, ToolError } from "bowline";
import { createMemoryEngine } from "bowline/engine";
import { inputRequired } from "bowline/server";
import * as z from "zod";
import { book, connectedAccounts, priceOf } from "./travel.ts";

// #region ask
const UNIT = z.object({ unit: z.enum(["C", "F"]).default("C") });

export const server = createServer({ name: "travel", version: "1.0.0" }).tool(
  "forecast",
  { inputSchema: z.object({ city: z.string() }) },
  async ({ city }, ctx) => {
    const answer = await ctx.elicit("Which unit?", UNIT);
    if (answer.action !== "accept") throw new ToolError("no unit was chosen");
    return `${city}: 21 °${answer.content.unit}`;
  },
);
// #endregion

// #region several
const GUEST = z.object({ name: z.string(), mail: z.email() });
const ROOM = z.object({ beds: z.int().min(1).max(4) });

server.tool("reserve", { description: "Reserves a room" }, async (_args, ctx) => {
  const [guest, room] = await Promise.all([
    ctx.elicit("Who stays?", GUEST, { key: "guest" }),
    ctx.elicit("What kind of room?", ROOM, { key: "room" }),
  ]);
  if (guest.action !== "accept" || room.action !== "accept") return "Nothing was reserved.";
  return `${room.content.beds} beds for ${guest.content.name}`;
});
// #endregion

// #region step
server.tool(
  "buy_ticket",
  { inputSchema: z.object({ to: z.string() }), requires: { elicitation: { form: {} } } },
  async ({ to }, ctx) => {
    // The price may change between two passes: a step keeps the one the user saw.
    const price = await ctx.step("price", () => priceOf(to));
    const { action } = await ctx.elicit(`A ticket to ${to} for ${price} €?`);
    if (action !== "accept") return "Nothing was bought.";
    // The id is the same in every round, so that the other side can tell a repetition.
    const ticket = await ctx.step("book", ({ id }) => book(to, price, id));
    return `Ticket ${ticket}`;
  },
);
// #endregion

// #region defer
server.tool("compare", { description: "Compares prices" }, async (_args, ctx) => {
  const watcher = new AbortController();
  ctx.defer(() => watcher.abort());
  const prices = await ctx.step("prices", () => priceOf("Oslo", watcher.signal));
  const { action } = await ctx.elicit(`${prices} €, is that too much?`);
  return action === "accept" ? "too much" : "fine";
});
// #endregion

// #region url
server.tool("connect_bank", { description: "Connects a bank account" }, async (_args, ctx) => {
  const session = await ctx.step("session", () => crypto.randomUUID());
  const url = `https://travel.example/connect/${session}`;
  while (!connectedAccounts.has(session)) {
    const { action } = await ctx.elicitUrl("Connect your bank on our page", url);
    if (action !== "accept") return "Nothing was connected.";
  }
  return "The account is connected.";
});
// #endregion

// #region manual
server.tool(
  "vote",
  { description: "Asks for a vote in the form of the protocol" },
  (_args, ctx) => {
    const vote = ctx.responses["vote"];
    if (vote !== undefined) return `${JSON.stringify(vote)} after ${JSON.stringify(ctx.state)}`;
    return inputRequired({
      inputRequests: {
        vote: {
          method: "elicitation/create",
          params: {
            message: "Where to?",
            requestedSchema: {
              type: "object",
              properties: { city: { type: "string", enum: ["Oslo", "Rome"] } },
              required: ["city"],
            },
          },
        },
      },
      state: { opened: "today" },
    });
  },
);
// #endregion

// #region replicas
export const replicated = createServer(
  { name: "travel", version: "1.0.0" },
  { engine: createMemoryEngine() },
).tool("pay_once", { once: true }, async (_args, ctx) => {
  const { action } = await ctx.elicit("Pay 10 €?");
  return action === "accept" ? "paid" : "not paid";
});
// #endregion
