import { z } from 'zod';
import type { Queryable } from '../../db/statements.ts';
import { sql } from '../../db/sql.ts';
import { conflict, ServiceError, validationFailed } from '../kernel/errors.ts';
import { getConnection } from './connection.ts';

const idRow = z.object({ id: z.string() });

/**
 * The connection that a push is for: the one that it names, or the only enabled one.
 *
 * @throws ServiceError NOT_FOUND; PREREQUISITE_MISSING if none is enabled; VALIDATION_FAILED if several are; CONFLICT
 *   for one that is disabled
 */
export async function chooseConnection(
  db: Queryable,
  siteId: string,
  wanted: string | undefined,
): Promise<string> {
  if (wanted !== undefined) {
    const { id, enabled } = await getConnection(db, siteId, wanted);
    if (!enabled)
      throw conflict('The connection is disabled. Enable it with PATCH /delivery/connections/{id} first.');
    return id;
  }
  const enabled = await db.any(sql.type(idRow)`
    select id from cms_connections
    where site_id = ${siteId} and enabled and deleted_at is null order by id limit 2`);
  const [only] = enabled;
  if (only === undefined)
    throw new ServiceError(
      'PREREQUISITE_MISSING',
      'This Site has no enabled connection to push articles to. Create one with POST /delivery/connections first.',
    );
  if (enabled.length > 1)
    throw validationFailed({
      connection_id: 'is required, because this Site has several enabled connections',
    });
  return only.id;
}
