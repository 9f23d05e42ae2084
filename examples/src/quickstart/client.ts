// #region client
import { connect } from "bowline";
import type { Clock } from "./server.ts";

await using client = await connect<Clock>(process.argv[2] ?? "http://127.0.0.1:3000/mcp");

const result = await client.callTool("now", { timeZone: "Europe/Oslo" });
if (!result.isError) console.log(result.structuredContent.time); // string, known from the server's type

for await (const tool of client.tools()) console.log(tool.name);
// #endregion
