import type { Database } from '../../db/database.ts';

/** Forgets what the keys of a Site have used of all limits, for what sends more than they allow in a minute. */
export async function forgetLimits(db: Database, siteId: string): Promise<void> {
  await db.pool.query(
    `delete from rate_limit_counters where subject in (
       select id::text from api_keys where site_id = $1
       union all select unnest(array['site:' || id, 'organisation:' || organisation_id]) from sites where id = $1)`,
    [siteId],
  );
}
