// #region recipe
import { createListener } from "bowline/node";
import { fastify } from "fastify";
import { clock } from "./clock.ts";

const app = fastify();
const listener = createListener(clock);

await app.register(async (scope) => {
  // Leaves the body to the listener, which reads it under limits of its own.
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", (_request, _body, done) => done(null));
  scope.all("/mcp", (request, reply) => {
    reply.hijack();
    listener(request.raw, reply.raw);
  });
});

await app.listen({ port: Number(process.env["PORT"] ?? 3000), host: "127.0.0.1" });
// #endregion

console.log("listening on", app.server.address());
