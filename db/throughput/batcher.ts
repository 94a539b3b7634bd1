import { outsideTraces } from '../../observability/tracing/trace.ts';
import { DatabaseBusy } from '../failures.ts';

interface Waiting<Asked, Answer> {
  readonly asked: Asked;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

export interface BatcherOptions {
  /** Maximum number of requests in a batch. */
  readonly most?: number;
  /** Batches in flight at once: enough to keep the database busy, few enough that the next one fills. */
  readonly batches?: number;
  /** Maximum number of requests that wait for a batch. */
  readonly waiting?: number;
  /** How long a request may go without an answer. */
  readonly limitMs?: number;
  /** How long a batch delays the next ones: a slow one may never be answered. */
  readonly patienceMs?: number;
}

/**
 * Answers concurrent requests in batches. A request that arrives alone is sent immediately.
 *
 * @param run answers each request, in their order; it must settle eventually
 * @returns sends a request; rejects with DatabaseBusy if too many wait, or on time-out
 */
export function createBatcher<Asked, Answer>(
  run: (asked: readonly Asked[]) => Promise<readonly Answer[]>,
  {
    most = Infinity,
    batches = 3,
    waiting: waitingAtMost = 2_000,
    limitMs = 12_000,
    patienceMs = 5_000,
  }: BatcherOptions = {},
): (asked: Asked) => Promise<Answer> {
  // An array, because rows that pass through a Set or Map outlive the collections of the young (runtime/README.md).
  let waiting: Waiting<Asked, Answer>[] = [];
  let inFlight = 0;
  let scheduled = false;

  const schedule = (): void => {
    if (scheduled || inFlight >= batches || waiting.length === 0) return;
    scheduled = true;
    // A batch belongs to none of the traces of its requests.
    outsideTraces(() => setImmediate(() => void flush()));
  };

  const flush = async (): Promise<void> => {
    scheduled = false;
    const batch = waiting.slice(0, most);
    waiting = waiting.slice(most);
    if (batch.length === 0) return;
    const makeRoom = occupy();
    schedule();
    try {
      const answers = await run(batch.map(({ asked }) => asked));
      for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as Answer);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      makeRoom();
    }
  };

  /** @returns makes room for the next batch, which also happens by itself after `patienceMs` */
  const occupy = (): (() => void) => {
    inFlight += 1;
    const makeRoom = (): void => {
      clearTimeout(timer);
      if (!occupied) return;
      occupied = false;
      inFlight -= 1;
      schedule();
    };
    let occupied = true;
    const timer = setTimeout(makeRoom, patienceMs);
    return makeRoom;
  };

  return (asked) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= waitingAtMost) {
        reject(new DatabaseBusy('Too many requests wait for the database'));
        return;
      }
      const settled =
        <T>(settle: (value: T) => void) =>
        (value: T): void => {
          clearTimeout(timer);
          settle(value);
        };
      const question = { asked, resolve: settled(resolve), reject: settled(reject) };
      const timer = setTimeout(() => {
        waiting = waiting.filter((each) => each !== question);
        reject(new DatabaseBusy('The database did not answer in time'));
      }, limitMs);
      waiting.push(question);
      schedule();
    });
}
