import { ApplicationFailure } from '@temporalio/common';
import { sleep } from '../support/temporal.ts';
import { answers } from './answers.ts';
import type { Scenario } from './scenario.ts';

const siteId = '01990000-0000-7000-8000-000000000003';

/** Scenarios of the autopilot. */
export const autopilotScenarios: Readonly<Record<string, Scenario>> = {
  'autopilot-schedule.failing-then-changed': {
    workflow: 'autopilotSchedule',
    input: { siteId },
    activities: {
      followAutopilot: answers<'on' | 'off'>(
        () => {
          throw ApplicationFailure.create({ message: 'The database does not answer' });
        },
        () => 'on',
        () => 'off',
      ),
    },
    async during(workflow) {
      // Between the tries.
      await sleep(200);
      await workflow.signal('changed');
    },
  },
  'autopilot-firing.started-at-the-second-try': {
    workflow: 'autopilotFiring',
    input: { siteId },
    activities: {
      fireAutopilot: answers(
        () => {
          throw ApplicationFailure.create({ message: 'The database does not answer' });
        },
        () => 'started run 01990000-0000-7000-8000-0000000000aa with 2 articles',
      ),
    },
  },
};
