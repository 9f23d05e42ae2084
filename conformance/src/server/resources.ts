import type { Server } from "bowline";
import { RED_PIXEL_PNG } from "./media.ts";

/** Resources of each kind, and one template. */
export function addResources(server: Server): void {
  server
    .resource(
      "test://static-text",
      { name: "static-text", description: "A static text", mimeType: "text/plain" },
      () => "This is the content of the static text resource.",
    )
    .resource(
      "test://static-binary",
      { name: "static-binary", description: "A static picture", mimeType: "image/png" },
      () => Buffer.from(RED_PIXEL_PNG, "base64"),
    )
    .resource(
      "test://watched-resource",
      { name: "watched-resource", description: "Can be subscribed to", mimeType: "text/plain" },
      () => "Watched resource content.",
    )
    .resourceTemplate(
      "test://template/{id}/data",
      { name: "template", description: "Data by id", mimeType: "application/json" },
      ({ id }) => JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
    );
}
