import { Counter } from '@prometheus-io/client';

const failures = new Counter({
  name: 'presswork_activity_failures_total',
  help: 'Failed attempts of activities and local activities, by activity.',
  labelNames: ['activity'],
});

const done = new Counter({
  name: 'presswork_activities_done_total',
  help: 'Activities and local activities that succeeded, by activity.',
  labelNames: ['activity'],
});

/** Starts each activity at zero, so that its first failure is an increase. */
export function expectActivities(names: readonly string[]): void {
  for (const activity of names) for (const counter of [failures, done]) counter.inc({ activity }, 0);
}

export const activityFailed = (activity: string): void => failures.inc({ activity });

export const activityDone = (activity: string): void => done.inc({ activity });
