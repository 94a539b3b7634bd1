import { log } from '@temporalio/workflow';
import { reasonOf } from './reason.ts';
import { showState } from './show-state.ts';

/** How much each step did, and the names of the steps that failed. */
type Swept<Name extends string> = Record<Name, number> & { failed: Name[] };

/** Runs steps one after another. A failed step is named in the result and does not stop the next ones. */
export async function runSteps<Name extends string>(
  steps: Readonly<Record<Name, () => Promise<number>>>,
): Promise<Swept<Name>> {
  const counts = {} as Record<Name, number>;
  const failed: Name[] = [];
  const reasons: string[] = [];
  for (const name of Object.keys(steps) as Name[]) {
    try {
      counts[name] = await steps[name]();
    } catch (error) {
      const reason = reasonOf(error);
      failed.push(name);
      reasons.push(`${name}: ${reason}`);
      log.warn('a step failed; the next run retries it', { step: name, reason });
    }
  }
  const state = failed.length === 0 ? 'done' : 'incomplete';
  showState(state, [state, ...reasons].join('\n\n'));
  return { ...counts, failed };
}
