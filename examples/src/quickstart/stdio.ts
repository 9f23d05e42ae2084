// #region stdio
import { createServer } from "bowline";
import { serveStdio } from "bowline/stdio";

const server = createServer({ name: "clock", version: "1.0.0" }).tool(
  "now",
  { description: "The current time" },
  () => new Date().toISOString(),
);

serveStdio(server);
// #endregion
