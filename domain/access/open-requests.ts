import { z } from 'zod';
import { at, sql, statement } from '../../db/sql.ts';
import type { Transaction } from '../../db/transaction.ts';
import { conflict } from '../kernel/errors.ts';

/** Requests for a key that may be open in one network (docs/spec/rulings.md, 27). */
const OPEN_LIMIT = 1_000;

const countRow = z.object({ open: z.number() });

/**
 * Checks that one more request for a key, by the code of a device or by OAuth, may be open in a network; the caller then
 * adds it in the same transaction. Until that ends, others of the network wait.
 *
 * @throws ServiceError CONFLICT
 */
export async function requireRoomInNetwork(tx: Transaction, network: string, now: Date): Promise<void> {
  await tx.exec(
    statement`select pg_advisory_xact_lock(hashtextextended('requests for keys ' || ${network}::text, 0))`,
  );
  const { open } = await tx.one(sql.type(countRow)`
    select count(*)::int as open from (
      (select from device_authorizations
        where client_network = ${network} and decision is null and expires_at > ${at(now)})
      union all
      (select from oauth_grants where client_network = ${network} and key_id is null and expires_at > ${at(now)})
      limit ${OPEN_LIMIT}
    ) counted`);
  if (open < OPEN_LIMIT) return;
  throw conflict(
    `${OPEN_LIMIT} requests for access are open in your network, which is the limit. Wait until some have been decided: each ends after 15 minutes.`,
  );
}
