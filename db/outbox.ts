import type { Transaction } from './database.ts';
import { z } from 'zod';
import { at, sql } from './sql.ts';

/** What a committed change asks of Temporal. Payloads are ids. */
export type OutboxMessage =
  | {
      readonly kind: 'scheduled-publish';
      readonly workflowId: string;
      readonly payload: { readonly articleId: string; readonly siteId: string; readonly signal: 'reschedule' | 'cancel' };
    }
  | {
      readonly kind: 'cache-purge';
      readonly workflowId: string;
      readonly payload: { readonly purgeId: string; readonly siteId: string };
    };

/**
 * Leaves a message for the relay, in the transaction of the change that it tells of.
 *
 * @param availableAt the relay leaves it alone until then
 * @returns the message's id
 */
export async function enqueue(tx: Transaction, message: OutboxMessage, now: Date, availableAt = now): Promise<number> {
  const { id } = await tx.one(sql.type(z.object({ id: z.number() }))`
    insert into outbox (kind, workflow_id, payload, created_at, available_at)
    values (${message.kind}, ${message.workflowId}, ${JSON.stringify(message.payload)}, ${at(now)}, ${at(availableAt)})
    returning id
  `);
  if (availableAt <= now) tx.notify('presswork_outbox');
  return id;
}
