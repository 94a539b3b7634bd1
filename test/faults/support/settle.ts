import { until } from '../../../tools/dev/processes.ts';
import type { Stack } from './stack.ts';

/** The lease of a dead worker ends after 15 s; everything else is retried sooner. */
const SETTLE_MS = 120_000;

/** The pending work, with counts; empty once the product is idle. */
const unfinished = `
  select * from (values
    ('messages in the outbox', (select count(*) from outbox where workflow_id not like 'poison%')),
    ('deliveries', (select count(*) from webhook_queue)),
    ('overdue schedules', (select count(*) from articles where status = 'scheduled')),
    ('bulk jobs', (select count(*) from bulk_jobs where finished_at is null)),
    ('pushes', (select count(*) from cms_pushes where finished_at is null)),
    ('runs', (select count(*) from pipeline_runs where status in ('queued', 'running'))),
    ('objects to delete', (select count(*) from doomed_objects))
  ) as work (name, count) where count > 0`;

/** Waits until all requested work is done. @throws Error naming what is not */
export async function settle({ db }: Stack): Promise<void> {
  let left = '';
  const isDone = async (): Promise<boolean> => {
    const { rows } = await db.pool.query<{ name: string; count: number }>(unfinished);
    left = rows.map(({ name, count }) => `${count} ${name}`).join(', ');
    return rows.length === 0;
  };
  if (!(await until(isDone, SETTLE_MS, 200)))
    throw new Error(`After ${SETTLE_MS} ms there are still ${left}`);
}
