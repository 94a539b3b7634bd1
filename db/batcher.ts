import { outsideTraces } from '../tracing/trace.ts';

interface Waiting<Asked, Answer> {
  readonly asked: Asked;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Has questions that come together answered together. One that comes alone is asked at once.
 *
 * @param run answers each question, in their order
 * @param most questions that it gets at once
 * @param batches under way at once: enough to keep the database busy, few enough that the next one fills
 */
export function createBatcher<Asked, Answer>(
  run: (asked: readonly Asked[]) => Promise<readonly Answer[]>,
  { most = Infinity, batches = 3 } = {},
): (asked: Asked) => Promise<Answer> {
  let waiting: Waiting<Asked, Answer>[] = [];
  let underWay = 0;
  let scheduled = false;

  const schedule = (): void => {
    if (scheduled || underWay >= batches || waiting.length === 0) return;
    scheduled = true;
    // A batch belongs to no one of those who ask.
    outsideTraces(() => setImmediate(() => void flush()));
  };

  const flush = async (): Promise<void> => {
    scheduled = false;
    const batch = waiting.slice(0, most);
    waiting = waiting.slice(most);
    underWay += 1;
    schedule();
    try {
      const answers = await run(batch.map(({ asked }) => asked));
      for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as Answer);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      underWay -= 1;
      schedule();
    }
  };

  return (asked) =>
    new Promise((resolve, reject) => {
      waiting.push({ asked, resolve, reject });
      schedule();
    });
}
