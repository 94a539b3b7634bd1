import { transportOf } from './client.ts';
import type { Presswork } from './client.ts';
import { PressworkError } from './error.ts';
import type { ApprovalDetail, BulkJob, PendingApproval, PipelineRun } from './generated/schemas.ts';
import type { Result } from './result.ts';
import { sleep, within } from './time.ts';

export interface WaitOptions {
  readonly signal?: AbortSignal | undefined;
  /** How long to wait, in milliseconds; 600,000 by default. */
  readonly timeoutMs?: number | undefined;
}

const FIRST_MS = 500;
const LONGEST_MS = 10_000;

/** Reads something until it is done, less and less often. */
async function poll<T>(
  what: string,
  presswork: Presswork,
  read: (signal: AbortSignal) => Promise<T>,
  isDone: (value: T) => boolean,
  { signal = transportOf(presswork).signal, timeoutMs = 600_000 }: WaitOptions,
): Promise<T> {
  const late = new PressworkError('TIMEOUT', `${what} took longer than ${timeoutMs} ms.`);
  return within(
    timeoutMs,
    signal,
    async (ending) => {
      for (let pause = FIRST_MS; ; pause = Math.min(LONGEST_MS, pause * 1.5)) {
        const value = await read(ending);
        if (isDone(value)) return value;
        await sleep(pause, ending);
      }
    },
    late,
  );
}

/**
 * Waits until a person has decided, or the approval has expired.
 *
 * @throws PressworkError with the code TIMEOUT
 */
export const waitForApproval = (
  presswork: Presswork,
  id: string,
  options: WaitOptions = {},
): Promise<Result<ApprovalDetail>> =>
  poll(
    'The decision',
    presswork,
    (signal) => presswork.approvals.get(id, { signal }),
    ({ status }) => status !== 'pending',
    options,
  );

/**
 * Waits until a run of the pipeline has ended, in whatever way: see its `status`.
 *
 * @throws PressworkError with the code TIMEOUT
 */
export const waitForRun = (
  presswork: Presswork,
  id: string,
  options: WaitOptions = {},
): Promise<Result<PipelineRun>> =>
  poll(
    'The run',
    presswork,
    (signal) => presswork.pipeline.getRun(id, { signal }),
    ({ finished_at: finishedAt }) => finishedAt !== null,
    options,
  );

/**
 * Waits until a bulk job has ended: its `items` have the result of each article.
 *
 * @throws PressworkError with the code TIMEOUT
 */
export const waitForBulkJob = (
  presswork: Presswork,
  id: string,
  options: WaitOptions = {},
): Promise<Result<BulkJob>> =>
  poll(
    'The bulk job',
    presswork,
    (signal) => presswork.articles.getBulkJob(id, { signal }),
    ({ finished_at: finishedAt }) => finishedAt !== null,
    options,
  );

/**
 * Makes a request that may need approval: if it does, waits for the decision and repeats the request with it.
 *
 * @param request makes the request, with the approval as its option
 * @throws PressworkError with the code APPROVAL_DENIED, APPROVAL_INVALID or TIMEOUT, or that of the request
 */
export async function withApproval<T>(
  presswork: Presswork,
  request: (approval?: string) => Promise<T>,
  options: WaitOptions & { readonly onRequested?: (approval: PendingApproval) => void } = {},
): Promise<T> {
  try {
    return await request();
  } catch (error) {
    const { approval } = error as Partial<PressworkError>;
    if (!(error instanceof PressworkError) || approval === undefined) throw error;
    options.onRequested?.(approval);
    await waitForApproval(presswork, approval.id, options);
    return request(approval.id);
  }
}
