import { DecodeError, RpcError } from "../base/errors.ts";
import type { RequestId } from "./message.ts";

/** The answer to a message that is not acceptable. `id` is there only where the message had a valid one. */
export class MessageRefusal extends RpcError {
  static override readonly kind: string = "MessageRefusal";
  readonly id: RequestId | undefined;

  constructor(
    rpcCode: number,
    message: string,
    options: { id?: RequestId | undefined; cause?: unknown } = {},
  ) {
    super(rpcCode, message, options.cause === undefined ? {} : { cause: options.cause });
    this.id = options.id;
  }
}

/** A server sent a request, which no server may: to be dropped and counted. */
export class UnexpectedRequest extends DecodeError {
  static override readonly kind: string = "UnexpectedRequest";
}
