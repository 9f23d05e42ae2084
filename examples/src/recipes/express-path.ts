import express from "express";
import { createListener } from "bowline/node";
import { clock } from "./clock.ts";

const app = express();
// #region recipe
app.all("/api/mcp", createListener(clock, { path: "/api/mcp" }));
// #endregion
app.all("/elsewhere", createListener(clock));

const http = app.listen(Number(process.env["PORT"] ?? 3000), "127.0.0.1");

http.on("listening", () => console.log("listening on", http.address()));
