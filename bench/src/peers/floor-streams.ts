import type { ServerResponse } from "node:http";
import { META_SUBSCRIPTION_ID } from "../wire.ts";

/** The least that keeps streams: every listener has an event of its own, encoded and written. */
export class FloorStreams {
  readonly #open = new Map<ServerResponse, unknown>();

  open(id: unknown, response: ServerResponse): void {
    this.#open.set(response, id);
    response.on("close", () => this.#open.delete(response));
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
    response.write(
      eventOf("notifications/subscriptions/acknowledged", id, {
        notifications: { toolsListChanged: true },
      }),
    );
  }

  changeTools(): void {
    for (const [response, id] of this.#open) {
      response.write(eventOf("notifications/tools/list_changed", id));
    }
  }
}

function eventOf(method: string, id: unknown, more: object = {}): string {
  const params = { _meta: { [META_SUBSCRIPTION_ID]: id }, ...more };
  return `data: ${JSON.stringify({ jsonrpc: "2.0", method, params })}\n\n`;
}
