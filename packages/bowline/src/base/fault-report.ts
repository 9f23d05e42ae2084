/** Where an unexpected fault happened. */
export interface FaultDetail {
  /** What the peer was given to ask about it. */
  readonly ref: string;
  /** The method that was asked for, or the part of the program. */
  readonly method: string;
  /** What was called, where that is known: `tool "echo"`. */
  readonly subject?: string | undefined;
  /** Set where the call itself goes on: something on its way was not sent, and the peer knows no reference. */
  readonly dropped?: true | undefined;
}

type About = Pick<FaultDetail, "subject" | "dropped">;

export type OnError = (error: unknown, detail: FaultDetail) => void;

/** Tells the author of a fault, and gives the reference that the peer is told. Never throws. */
export type FaultReport = (error: unknown, method: string, about?: About) => string;

export interface FaultReportOptions {
  readonly onError?: OnError | undefined;
  readonly createRef?: (() => string) | undefined;
}

/** Reports to `onError`; to the console without one, or where it throws itself. */
export function createFaultReport(options: FaultReportOptions): FaultReport {
  const { onError = logFault, createRef = () => crypto.randomUUID() } = options;
  return (error, method, about) => {
    const detail: FaultDetail = { ref: createRef(), method, ...about };
    try {
      onError(error, detail);
    } catch (failure) {
      logFault(failure, detail);
      logFault(error, detail);
    }
    return detail.ref;
  };
}

function logFault(error: unknown, { ref, method, subject, dropped }: FaultDetail): void {
  const call = subject === undefined ? method : `${method} of ${subject}`;
  const what = dropped === true ? `not sent in ${call}` : `${call} failed`;
  // oxlint-disable-next-line no-console -- a fault nobody listens for must be seen somewhere
  console.error(`bowline: ${what}, reference ${ref}`, error);
}
