import { Histogram } from '@prometheus-io/client';

const operations = [
  'GetObject',
  'HeadObject',
  'CopyObject',
  'PutObject',
  'DeleteObject',
  'ListObjectsV2',
  'HeadBucket',
  'other',
] as const;
const outcomes = ['ok', 'refused', 'given_up', 'failed'] as const;
export type StorageOutcome = (typeof outcomes)[number];

const requests = new Histogram({
  name: 'presswork_storage_request_duration_seconds',
  help: 'Time to the head of the answer of S3, by operation and outcome: ok, refused (4xx), given_up (by our client), or failed (5xx, no answer in time).',
  labelNames: ['operation', 'outcome'],
  buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5],
});
for (const operation of operations) for (const outcome of outcomes) requests.zero({ operation, outcome });

/** @param command the name of the SDK's command, without `Command` */
export function storageAnswered(command: string, outcome: StorageOutcome, seconds: number): void {
  const operation = operations.find((known) => known === command) ?? 'other';
  requests.observe({ operation, outcome }, seconds);
}
