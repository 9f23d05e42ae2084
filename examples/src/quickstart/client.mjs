// #region client
import { connect } from "bowline";

const client = await connect(process.argv[2] ?? "http://127.0.0.1:3000/mcp");
try {
  const result = await client.callTool("now", { timeZone: "Europe/Oslo" });
  if (!result.isError) console.log(result.structuredContent.time);

  for await (const tool of client.tools()) console.log(tool.name);
} finally {
  await client.close();
}
// #endregion
