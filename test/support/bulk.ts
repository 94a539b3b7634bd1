import { MockActivityEnvironment } from '@temporalio/testing';
import { createBulkActivities } from '../../activities/bulk.ts';
import type { Ports } from '../../activities/ports.ts';
import type { BulkProgress } from '../../activities/bulk.ts';
import { systemClock } from '../../domain/kernel/clock.ts';
import type { Answer, TestApi } from './api.ts';
import type { Tenant } from './builders.ts';
import { silent } from './temporal.ts';

/** A worker's activities for bulk jobs, without Temporal. */
export const bulkActivities = (api: TestApi, ports: Partial<Ports> = {}) =>
  createBulkActivities({ db: api.db, clock: systemClock, log: silent, purger: null, ...ports });

/** Works on a job until it has ended or has to wait, like its workflow. */
export async function work(
  api: TestApi,
  siteId: string,
  jobId: string,
  activities = bulkActivities(api),
): Promise<BulkProgress> {
  for (;;) {
    const environment = new MockActivityEnvironment();
    const progress = (await environment.run(activities.applyBulkItems, jobId, siteId)) as BulkProgress;
    if (progress.state !== 'running') return progress;
  }
}

export const sendJob = (api: TestApi, key: string, body: object, options: object = {}): Promise<Answer> =>
  api.request('POST', '/articles/bulk', { key, body, ...options });

export const readJob = async (api: TestApi, key: string, id: string) =>
  (await api.request('GET', `/articles/bulk/${id}`, { key })).data;

/** Sends a job and carries it out. @returns it as it is then */
export async function carriedOut(api: TestApi, { secretKey: key, siteId }: Tenant, body: object) {
  const answer = await sendJob(api, key, body);
  if (answer.status !== 202) throw new Error(`not accepted: ${answer.text}`);
  await work(api, siteId, answer.data.id);
  return readJob(api, key, answer.data.id);
}
