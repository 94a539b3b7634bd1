import { z } from 'zod';
import type { Queryable } from '../../db/statements.ts';
import { sql } from '../../db/sql.ts';
import { countRequests, secondsLeft } from '../access/rate-limits.ts';
import { ServiceError } from '../kernel/errors.ts';

/** Documents of clients that one member may have read in a minute. */
const READS = 20;

const countRow = z.object({ requests: z.number() });

/**
 * Counts a request to an address that somebody else chose, for the person who asked for it.
 *
 * @throws ServiceError RATE_LIMIT_EXCEEDED
 */
export async function countDocumentRead(db: Queryable, memberId: string, now: Date): Promise<void> {
  const subject = `member:${memberId}`;
  const { requests } = await db.one(sql.type(countRow)`
    with counted as (${countRequests(sql.fragment`select ${subject}::text as subject, 'client-document'::text as class, 1 as requests`, now)})
    select requests from counted`);
  if (requests <= READS) return;
  const seconds = secondsLeft(now);
  throw new ServiceError(
    'RATE_LIMIT_EXCEEDED',
    `More than ${READS} clients were looked up in a minute. Wait ${seconds} seconds.`,
    { headers: { 'Retry-After': String(seconds) } },
  );
}
