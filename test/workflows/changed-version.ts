import { patched, proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { WorkflowInterceptorsFactory } from '@temporalio/workflow';

const { oneStepMore } = proxyActivities<{ oneStepMore(): Promise<void> }>({
  startToCloseTimeout: '1 minute',
});

/**
 * The workflows as a later version might have them: with an additional activity before one of their commands. The
 * workflow's id says which command, and whether the change uses `patched`:
 * `<id>#<number of the command>#<patched or bare>`.
 */
export const interceptors: WorkflowInterceptorsFactory = () => {
  const [, number, how] = workflowInfo().workflowId.split('#');
  let commands = 0;
  let changing = false;
  const changed = <T>(go: () => Promise<T>): Promise<T> => {
    if (changing) return go();
    commands += 1;
    if (commands !== Number(number) || (how === 'patched' && !patched('a-change'))) return go();
    changing = true;
    const done = oneStepMore();
    changing = false;
    return done.then(go);
  };
  return {
    outbound: [
      {
        startTimer: (input, next) => changed(() => next(input)),
        scheduleActivity: (input, next) => changed(() => next(input)),
        scheduleLocalActivity: (input, next) => changed(() => next(input)),
      },
    ],
  };
};
