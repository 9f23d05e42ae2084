// #region recipe
import { serve } from "@hono/node-server";
import { serveHttp } from "bowline";
import { Hono } from "hono";
import { clock } from "./clock.ts";

const handle = serveHttp(clock);
const app = new Hono().all("/mcp", (context) => handle(context.req.raw));

const http = serve({
  fetch: app.fetch,
  port: Number(process.env["PORT"] ?? 3000),
  hostname: "127.0.0.1",
});
// #endregion

http.on("listening", () => console.log("listening on", http.address()));
