// #region recipe
import { createListener } from "bowline/node";
import express from "express";
import { clock } from "./clock.ts";

const app = express();
app.all("/mcp", createListener(clock)); // before express.json(), which would eat the body

const http = app.listen(Number(process.env["PORT"] ?? 3000), "127.0.0.1");
// #endregion

http.on("listening", () => console.log("listening on", http.address()));
