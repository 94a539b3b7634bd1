import { until } from '../../../dev/processes.ts';
import type { World } from './world.ts';

/** A lease of a worker that died ends after 15 s; what else is tried again is tried sooner. */
const SETTLE_MS = 120_000;

/** What is still to be done, each with how much of it; empty once the product has come to rest. */
const unfinished = `
  select * from (values
    ('messages in the outbox', (select count(*) from outbox where workflow_id not like 'poison%')),
    ('deliveries', (select count(*) from webhook_queue)),
    ('overdue schedules', (select count(*) from articles where status = 'scheduled')),
    ('runs', (select count(*) from pipeline_runs where status in ('queued', 'running'))),
    ('objects to delete', (select count(*) from doomed_objects))
  ) as work (name, count) where count > 0`;

/** Waits until all that was asked for is done. @throws Error that says what is not */
export async function settle({ db }: World): Promise<void> {
  let left = '';
  const isDone = async (): Promise<boolean> => {
    const { rows } = await db.pool.query<{ name: string; count: number }>(unfinished);
    left = rows.map(({ name, count }) => `${count} ${name}`).join(', ');
    return rows.length === 0;
  };
  if (!(await until(isDone, SETTLE_MS, 200)))
    throw new Error(`After ${SETTLE_MS} ms there are still ${left}`);
}
