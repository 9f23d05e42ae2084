/** As much of Express as the recipe uses; `@types/express` has the rest. */
declare module "express" {
  import type { IncomingMessage, Server, ServerResponse } from "node:http";

  interface Application {
    all(path: string, handler: (request: IncomingMessage, response: ServerResponse) => void): this;
    listen(port: number, host: string): Server;
  }
  export default function express(): Application;
}
