import type { TransportError } from "../../base/errors.ts";
import type { Exchange } from "../../protocol/exchange.ts";
import { Child, type Program } from "./child.ts";
import { openLink, type LinkOptions } from "./link.ts";
import { startWatchdog, type Watchdog } from "./watchdog.ts";

/** A server process and the calls to it. */
export interface RunningServer {
  readonly exchange: Exchange;
  readonly pid: number | undefined;
  /** The end of what it wrote to stderr. */
  stderr(): string;
  /**
   * Fails the calls in flight and ends the process with all it started; `atOnce` leaves it no time to end by itself.
   * Settles when nothing of it runs any more.
   */
  end(reason: Error, atOnce: boolean): Promise<void>;
}

/** What is needed to start a server, once or again. */
export interface ServerProgram extends Program, Pick<LinkOptions, "limits" | "onDiagnostic"> {}

export interface ServerEvents {
  /** It could not be started, exited, or closed its stdout. Called once, after `end` as well. */
  readonly onEnd: (error: TransportError) => void;
  /** It behaves in a way that ends the connection. */
  readonly onFatal: (error: Error) => void;
}

/** Throws a `TransportError` where no process can be made. */
export function startServer(program: ServerProgram, events: ServerEvents): RunningServer {
  const { limits, onDiagnostic } = program;
  const { onEnd, onFatal } = events;
  const child = new Child(program, onEnd);
  const { stdin: output, stdout: input } = child;
  const link = openLink({ input, output, limits, onDiagnostic, onFatal });
  const watchdog = watchOver(child, program);
  return {
    exchange: link.exchange,
    pid: child.pid,
    stderr: () => child.stderr(),
    end: async (reason, atOnce) => {
      link.end(reason);
      await child.close({ atOnce });
      await watchdog?.dismiss();
    },
  };
}

function watchOver({ pid }: Child, program: ServerProgram): Watchdog | undefined {
  if (pid === undefined) return undefined;
  const { eofGraceMs, termGraceMs, onDiagnostic } = program;
  const onMissing = ({ message }: Error): void =>
    onDiagnostic({
      kind: "unwatched",
      message: `nothing would end the server if this process were killed: ${message}`,
    });
  return startWatchdog({ pid, eofGraceMs, termGraceMs, onMissing });
}
