export { connectStdio, type StdioConnection } from "./connect.ts";
export type { OnStdioDiagnostic, StdioDiagnostic } from "./diagnostic.ts";
export type { Environment } from "./client/environment.ts";
export {
  serveStdio,
  type ServeStdioOptions,
  type StdioServer,
  type StdioServerLimits,
} from "./serve.ts";
export type {
  ConnectStdioOptions,
  RestartOptions,
  StdioClientLimits,
  StdioCommand,
  StdioStreams,
  WebStreams,
} from "./target.ts";
