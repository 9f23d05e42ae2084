/** Where an unexpected fault happened. */
export interface FaultDetail {
  /** What the peer was given to ask about it. */
  readonly ref: string;
  /** The method that was asked for, or the part of the program. */
  readonly method: string;
}

export type OnError = (error: unknown, detail: FaultDetail) => void;

/** Tells the author of a fault, and gives the reference that the peer is told. Never throws. */
export type FaultReport = (error: unknown, method: string) => string;

export interface FaultReportOptions {
  readonly onError?: OnError | undefined;
  readonly createRef?: (() => string) | undefined;
}

/** Reports to `onError`; to the console without one, or where it throws itself. */
export function createFaultReport(options: FaultReportOptions): FaultReport {
  const { onError = logFault, createRef = () => crypto.randomUUID() } = options;
  return (error, method) => {
    const detail: FaultDetail = { ref: createRef(), method };
    try {
      onError(error, detail);
    } catch (failure) {
      logFault(failure, detail);
      logFault(error, detail);
    }
    return detail.ref;
  };
}

function logFault(error: unknown, { ref, method }: FaultDetail): void {
  // oxlint-disable-next-line no-console -- a fault nobody listens for must be seen somewhere
  console.error(`bowline: ${method} failed, reference ${ref}`, error);
}
