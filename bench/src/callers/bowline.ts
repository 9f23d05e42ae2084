import { textOf, type Caller } from "./caller.ts";

/** `connect` as it comes. */
export const bowline: Caller = {
  name: "bowline",
  connect: async (reach) => {
    const { connect } = await import("bowline");
    const target =
      reach.transport === "http" ? reach.url : { command: reach.command, args: reach.args };
    const client = await connect(target);
    return { add: async (a, b) => textOf(await client.callTool("add", { a, b })) };
  },
};

/** The same with the platform's `fetch` put in. */
export const bowlineFetch: Caller = {
  name: "bowline fetch",
  connect: async (reach) => {
    if (reach.transport === "stdio") return bowline.connect(reach);
    const { connect } = await import("bowline");
    const client = await connect(reach.url, { fetch: (request) => fetch(request) });
    return { add: async (a, b) => textOf(await client.callTool("add", { a, b })) };
  },
};
