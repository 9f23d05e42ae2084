import { encodeNotification } from "../../jsonrpc/encode.ts";
import type { ServerNotification } from "../notifications.ts";

/** A notification whose JSON text is known. A middleware that makes another one of it makes one without a text. */
export class EncodedNotification {
  readonly method: string;
  readonly params: object;
  readonly #text: string;

  constructor(method: string, params: object, text: string) {
    this.method = method;
    this.params = params;
    this.#text = text;
  }

  /** The text of any notification: the known one, or a new one. */
  static textOf(notification: ServerNotification): string {
    return #text in notification ? notification.#text : encodeNotification(notification);
  }
}
