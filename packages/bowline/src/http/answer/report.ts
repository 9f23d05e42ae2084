/** Tells the operator of a fault, and gives the reference that the peer is told. */
export type Report = (error: unknown, method: string) => string;

export interface ReportOptions {
  readonly onError?:
    | ((error: unknown, detail: { ref: string; method: string }) => void)
    | undefined;
  readonly createRef?: (() => string) | undefined;
}

export function createReport(options: ReportOptions): Report {
  const { onError = writeToConsole, createRef = () => crypto.randomUUID() } = options;
  return (error, method) => {
    const ref = createRef();
    try {
      onError(error, { ref, method });
    } catch {
      // Whoever listens to faults must not cause another one: the peer is answered all the same.
    }
    return ref;
  };
}

function writeToConsole(error: unknown, { ref, method }: { ref: string; method: string }): void {
  // oxlint-disable-next-line no-console -- a fault nobody hears of is worse than a line on the console
  console.error(`bowline: internal error ${ref} in ${method}`, error);
}
