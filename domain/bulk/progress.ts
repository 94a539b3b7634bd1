import { z } from 'zod';
import type { Queryable } from '../../db/statements.ts';
import { sql } from '../../db/sql.ts';

const totalsRow = z.object({ waiting: z.number(), done: z.number(), failed: z.number() });

/** How many items of a job are in each status. */
export type ItemTotals = z.infer<typeof totalsRow>;

export const countItems = (db: Queryable, jobId: string): Promise<ItemTotals> =>
  db.one(sql.type(totalsRow)`
    select count(*) filter (where status = 'waiting')::int as waiting,
      count(*) filter (where status = 'done')::int as done,
      count(*) filter (where status = 'failed')::int as failed
    from bulk_items where job_id = ${jobId}`);
