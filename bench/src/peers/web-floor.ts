import { FloorRpc } from "./floor-rpc.ts";
import { serveFetch } from "./node-http.ts";
import type { Peer } from "./peer.ts";

/** What the floor costs when it is handed a `Request` and returns a `Response`. */
export const webFloor: Peer = {
  name: "web floor",
  about: "the floor as a fetch handler, behind the same small adapter as bowline's web face",
  startHttp: (tools) => {
    const rpc = new FloorRpc(tools);
    return serveFetch(async (request) => {
      const { headers } = request;
      const { status, body } = rpc.overHttp(await request.text(), (name) => headers.get(name));
      const init = { status, headers: { "content-type": "application/json" } };
      return new Response(JSON.stringify(body), init);
    });
  },
};
