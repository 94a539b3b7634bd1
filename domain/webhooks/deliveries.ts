import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import type { Queryable } from '../../db/statements.ts';
import { at, sql, statement, timestamp } from '../../db/sql.ts';
import type { Site } from '../kernel/site.ts';
import { EVENT_RETENTION_MS } from '../events/events.ts';
import { newestFirst, readPage } from '../kernel/page.ts';
import type { Page, PageRequest } from '../kernel/page.ts';

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

export type Delivery = z.infer<typeof deliveryRow>;

export interface DeliveryFilters {
  readonly event_id?: string | undefined;
  readonly status?: 'succeeded' | 'failed' | undefined;
  readonly event?: string | undefined;
}

/** A page of an endpoint's log, newest first, with one row for each HTTP attempt. */
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
  const query = `deliveries ${JSON.stringify([endpointId, event_id, status, event])}`;
  return readPage(site, query, request, newestFirst('d', 'attempted_at'), ({ after, order }, count) =>
    db.any(sql.type(deliveryRow)`
      select id, event_id, event, attempt, status, response_status, error, duration_ms, attempted_at, next_attempt_at,
        redelivery
      from webhook_deliveries d
      where ${sql.join([...where, after], sql.fragment` and `)} order by ${order} limit ${count}`),
  );
}

/** Deletes a batch of log rows past their retention. @returns how many */
export function deleteOldDeliveries(tx: Transaction, now: Date, batch: number): Promise<number> {
  return tx.exec(statement`
    delete from webhook_deliveries where ctid = any(array(
      select ctid from webhook_deliveries where attempted_at <= ${at(new Date(now.getTime() - EVENT_RETENTION_MS))}
      order by attempted_at limit ${batch}
    ))`);
}
