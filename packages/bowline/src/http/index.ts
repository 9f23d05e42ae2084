export { serveHttp, type FetchHandler, type ServeHttpOptions } from "./serve.ts";
export type { Activity } from "./answer/admission.ts";
export type { RequestHead } from "./request/head.ts";
export type { HttpLimitOptions } from "./limits.ts";
export type { Authorization, Authorize, Fallback } from "./options.ts";
export type { Refusal } from "./respond.ts";
export type { CorsOptions } from "./request/origin.ts";
