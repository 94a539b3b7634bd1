import type { Client } from '@temporalio/client';
import { badEnds } from '../observability/metrics/ended-workflows.ts';
import type { BadEnds } from '../observability/metrics/ended-workflows.ts';

const HOUR_MS = 3_600_000;
const statuses = { failed: 'Failed', timed_out: 'TimedOut', terminated: 'Terminated' } as const;

/** How many workflows ended within the last hour without completing. */
export async function readBadEnds(client: Client, now: Date): Promise<BadEnds> {
  const since = new Date(now.getTime() - HOUR_MS).toISOString();
  const listed = badEnds.map((end) => `"${statuses[end]}"`).join(',');
  const { groups } = await client.workflow.count(
    `CloseTime > "${since}" AND ExecutionStatus IN (${listed}) GROUP BY ExecutionStatus`,
  );
  const countOf = (end: (typeof badEnds)[number]): number =>
    groups.find(({ groupValues }) => groupValues.flat().some((value) => value === statuses[end]))?.count ?? 0;
  return { failed: countOf('failed'), timed_out: countOf('timed_out'), terminated: countOf('terminated') };
}
