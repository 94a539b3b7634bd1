import { ApplicationFailure } from '@temporalio/common';
import type { ScanStep } from '../../activities/seo-scan.ts';
import { sleep } from '../support/temporal.ts';
import { answers } from './answers.ts';
import type { Scenario } from './scenario.ts';

const scanId = '01990000-0000-7000-8000-0000000000aa';
const siteId = '01990000-0000-7000-8000-000000000003';
const more = (unitsDone: number): ScanStep => ({ kind: 'more', unitsDone, unitsTotal: 3, found: unitsDone });
const begin = { beginSeoScan: answers(() => true) };
const scan = { workflow: 'seoScan', input: { scanId, siteId } } as const;

/** Scenarios of scans. */
export const scanScenarios: Readonly<Record<string, Scenario>> = {
  'seo-scan.waited-for-its-share-then-completed': {
    ...scan,
    activities: {
      ...begin,
      scanFurther: answers<ScanStep>(
        () => more(0),
        () => ({ kind: 'waits' }),
        () => more(1),
        () => ({ kind: 'completed' }),
      ),
      endSeoScan: answers(() => 'completed'),
    },
  },
  'seo-scan.out-of-credits-at-the-second-try': {
    ...scan,
    activities: {
      ...begin,
      scanFurther: answers<ScanStep>(
        () => {
          throw ApplicationFailure.create({ message: 'something failed on our side.' });
        },
        () => more(1),
        () => ({ kind: 'stopped', reason: 'insufficient_credits' }),
      ),
      endSeoScan: answers(() => 'partial'),
    },
  },
  'seo-scan.failed-for-good': {
    ...scan,
    activities: {
      ...begin,
      scanFurther: answers<ScanStep>(() => {
        throw ApplicationFailure.create({ message: 'something failed on our side.', nonRetryable: true });
      }),
      endSeoScan: answers(() => 'failed'),
    },
  },
  'seo-scan.ended-by-signal': {
    ...scan,
    activities: {
      ...begin,
      scanFurther: async () => {
        await sleep(1_500);
        return more(1);
      },
      endSeoScan: answers(() => 'cancelled'),
    },
    async during(workflow) {
      await sleep(700);
      await workflow.signal('cancel');
    },
  },
  'seo-scan.ended-before': {
    ...scan,
    activities: { beginSeoScan: answers(() => false) },
  },
};
