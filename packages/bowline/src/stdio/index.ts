export { connectStdio, type StdioConnection, type StdioStreams } from "./connect.ts";
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
} from "./target.ts";
