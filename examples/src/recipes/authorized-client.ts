// #region recipe
import { connect } from "bowline";
import type { Status } from "./authorize.ts";

await using client = await connect<Status>(process.argv[2] ?? "http://127.0.0.1:3000/mcp", {
  headers: { Authorization: `Bearer ${process.env["TOKEN"]}` },
});
const { content } = await client.callTool("status");
// #endregion

console.log(JSON.stringify(content));
