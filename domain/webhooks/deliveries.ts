import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import type { Queryable } from '../../db/statements.ts';
import { at, sql, statement, timestamp } from '../../db/sql.ts';
import type { Site } from '../access/authenticate.ts';
import { EVENT_RETENTION_MS } from '../events.ts';
import { readPage } from '../page.ts';
import type { Page, PageRequest } from '../page.ts';

const deliveryRow = z.object({
  id: z.string(),
  event_id: z.string(),
  event: z.string(),
  attempt: z.number(),
  status: z.enum(['succeeded', 'failed']),
  response_status: z.number().nullable(),
  error: z.string().nullable(),
  duration_ms: z.number(),
  attempted_at: timestamp,
  next_attempt_at: timestamp.nullable(),
  redelivery: z.boolean(),
});

type Delivery = z.infer<typeof deliveryRow>;

export interface DeliveryFilters {
  readonly event_id?: string | undefined;
  readonly status?: 'succeeded' | 'failed' | undefined;
  readonly event?: string | undefined;
}

/** A page of an endpoint's log, newest first: one row an HTTP attempt. */
export function listDeliveries(
  db: Queryable,
  site: Site,
  endpointId: string,
  filters: DeliveryFilters,
  request: PageRequest,
): Promise<Page<Delivery>> {
  const { event_id, status, event } = filters;
  const where = [sql.fragment`endpoint_id = ${endpointId}`];
  if (event_id !== undefined) where.push(sql.fragment`event_id = ${event_id}`);
  if (status !== undefined) where.push(sql.fragment`status = ${status}`);
  if (event !== undefined) where.push(sql.fragment`event = ${event}`);
  return readPage(
    { key: site.cursorKey, query: `deliveries ${JSON.stringify([endpointId, event_id, status, event])}` },
    request,
    (after, count) => {
      const behind =
        after === null
          ? []
          : [sql.fragment`(attempted_at, id) < (${after.key}::timestamptz, ${after.id}::uuid)`];
      return db.any(sql.type(deliveryRow)`
        select id, event_id, event, attempt, status, response_status, error, duration_ms, attempted_at, next_attempt_at,
          redelivery
        from webhook_deliveries where ${sql.join([...where, ...behind], sql.fragment` and `)}
        order by attempted_at desc, id desc limit ${count}`);
    },
    (row) => ({ key: row.attempted_at.toISOString(), id: row.id }),
  );
}

/** A row of the log as the API shows it (decisions 7, Delivery row). */
export const presentDelivery = (row: Delivery) => ({
  id: row.id,
  event_id: row.event_id,
  event: row.event,
  attempt: row.attempt,
  status: row.status,
  response_status: row.response_status,
  error: row.error,
  duration_ms: row.duration_ms,
  attempted_at: row.attempted_at.toISOString(),
  next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
  redelivery: row.redelivery,
});

/** Deletes rows of the log past their retention, a batch at a time. @returns how many */
export function deleteOldDeliveries(tx: Transaction, now: Date, batch: number): Promise<number> {
  return tx.exec(statement`
    delete from webhook_deliveries where ctid = any(array(
      select ctid from webhook_deliveries where attempted_at <= ${at(new Date(now.getTime() - EVENT_RETENTION_MS))}
      order by attempted_at limit ${batch}
    ))`);
}
