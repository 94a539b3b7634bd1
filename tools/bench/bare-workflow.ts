import { proxyActivities } from '@temporalio/workflow';

const { nothing } = proxyActivities<{ nothing(): Promise<void> }>({ startToCloseTimeout: '10 seconds' });

/** The lower bound that the pipeline is compared with: five empty activities, one after another. */
export async function fiveActivities(): Promise<void> {
  for (let done = 0; done < 5; done += 1) await nothing();
}
