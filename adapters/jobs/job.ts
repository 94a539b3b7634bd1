/** What a job may take and how long it may wait, in ms. */
export interface JobLimits {
  /** Processor time. A job that takes more does so on every machine. */
  readonly processorMs: number;
  /** How long it may take on a busy machine. */
  readonly deadlineMs: number;
  /** How long it may wait for its turn. */
  readonly longestWaitMs: number;
}

/** The classes of service. No job waits for one of another class, because each class has its own processes. */
export const classes = {
  /** Somebody waits for the answer. The largest table takes three quarters of the heap. */
  prompt: { heapMb: 400 },
  /** The largest article and a page of 20,000 elements take half of the heap. */
  batch: { heapMb: 160 },
} as const;

export interface Job extends JobLimits {
  readonly of: keyof typeof classes;
  /** Loads what the job needs, only in the process that does it. Inputs and results are plain data. */
  readonly load: () => Promise<(input: never) => unknown>;
}

/**
 * Functions that run in helper processes. Each is called with the Site of the text, whose organisation never holds all
 * processes.
 *
 * @throws JobTooLarge; JobUnfinished; NoPermit if too many jobs wait; the signal's reason if it is aborted first
 */
export type InHelpers<Functions extends Readonly<Record<keyof Functions, (input: never) => unknown>>> = {
  readonly [Name in keyof Functions]: (
    siteId: string,
    input: Parameters<Functions[Name]>[0],
    signal?: AbortSignal,
  ) => Promise<Awaited<ReturnType<Functions[Name]>>>;
};
