import type { Transaction } from '../../db/transaction.ts';
import { array, at, statement } from '../../db/sql.ts';

/**
 * Returns claimed deliveries to the queue under the same number: attempts that were not made, or that failed because of
 * our side. Nothing is logged or counted. The endpoint's row is locked, as it is for recording results. Deliveries that
 * were logged as interrupted meanwhile, or replaced by a redelivery, are left alone.
 *
 * @param dueAt the earliest time of the next attempt
 */
export async function handBack(
  tx: Transaction,
  endpointId: string,
  deliveryIds: readonly string[],
  dueAt: Date,
): Promise<void> {
  const ids = array(deliveryIds, 'uuid');
  await tx.exec(statement`select from webhook_endpoints where id = ${endpointId} for no key update`);
  await tx.exec(statement`
    with detached as (
      delete from webhook_detached_attempts where endpoint_id = ${endpointId} and id = any(${ids})
    )
    update webhook_queue
    set delivery_id = null, leased_at = null, leased_until = null, due_at = greatest(due_at, ${at(dueAt)}::timestamptz)
    where endpoint_id = ${endpointId} and delivery_id = any(${ids})`);
}
