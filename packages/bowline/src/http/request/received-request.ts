import type { Principal } from "../../protocol/exchange.ts";
import type { Head } from "./head.ts";
import type { Outlet } from "../respond.ts";
import type { Ticker } from "../answer/ticker.ts";

/** A request whose body is there, and where its answer goes. */
export interface ReceivedRequest {
  readonly head: Head;
  readonly body: Uint8Array;
  readonly principal: Principal | undefined;
  readonly outlet: Outlet;
  readonly ticker: Ticker;
}
