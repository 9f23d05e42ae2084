import type { ToolSpec } from "../tools.ts";

/** Where a server listens. */
export interface Running {
  readonly port: number;
  readonly path: string;
}

/** A server that runs in this process. */
export interface Serving extends Running {
  /** Changes its list of tools, of which it tells everyone who listens. */
  readonly changeTools?: () => void;
}

/**
 * One implementation that is measured. Its packages are loaded by its functions, not by its module, so
 * that the process of one peer never holds another.
 */
export interface Peer {
  readonly name: string;
  /** What it is, for the table's legend. */
  readonly about: string;
  /** Serve the tools over HTTP on loopback, until the process ends. */
  startHttp(tools: readonly ToolSpec[]): Promise<Serving>;
  /** Serve the tools over this process's standard input and output, until the input ends. */
  startStdio?(tools: readonly ToolSpec[]): Promise<void>;
}
