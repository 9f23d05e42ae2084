// #region recipe
import { serveHttp } from "bowline";
import { clock } from "./clock.ts";

export default { fetch: serveHttp(clock) };
// #endregion
