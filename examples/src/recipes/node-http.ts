// #region recipe
import { createServer } from "node:http";
import { createListener } from "bowline/node";
import { clock } from "./clock.ts";

const http = createServer(createListener(clock));
http.listen(Number(process.env["PORT"] ?? 3000), "127.0.0.1");
// #endregion

http.on("listening", () => console.log("listening on", http.address()));
