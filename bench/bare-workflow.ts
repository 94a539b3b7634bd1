import { proxyActivities } from '@temporalio/workflow';

const { nothing } = proxyActivities<{ nothing(): Promise<void> }>({ startToCloseTimeout: '10 seconds' });

/** What the pipeline is held against: five activities one after the other, which do nothing. */
export async function fiveActivities(): Promise<void> {
  for (let done = 0; done < 5; done += 1) await nothing();
}
