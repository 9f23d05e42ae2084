// #region recipe
import { createHash, timingSafeEqual } from "node:crypto";
import { createServer } from "bowline";
import type { Authorize } from "bowline/http";
import { listen } from "bowline/node";

const digest = (text: string) => createHash("sha256").update(text).digest();

const token = process.env["TOKEN"];
if (token === undefined || token === "") throw new Error("set TOKEN to the token of the operator");
const expected = digest(token);

const authorize: Authorize = ({ header }) => {
  const given = /^Bearer +(\S+)$/i.exec(header("authorization") ?? "")?.[1] ?? "";
  if (!timingSafeEqual(digest(given), expected)) {
    return { refusal: { status: 401, headers: { "WWW-Authenticate": "Bearer" } } };
  }
  return {
    principal: {
      issuer: "this program",
      clientId: "console",
      subject: "operator",
      scopes: ["status:read"],
    },
  };
};

const server = createServer({ name: "status", version: "1.0.0" }).tool(
  "status",
  { description: "How the service is doing", scopes: ["status:read"] },
  (_args, { principal }) => `All is well, ${principal?.subject}.`,
);

export type Status = typeof server;

const { url } = await listen(server, { port: Number(process.env["PORT"] ?? 3000), authorize });
// #endregion

console.log(`listening on ${url}`);
