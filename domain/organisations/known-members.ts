import { z } from 'zod';
import { array, sql } from '../../db/sql.ts';
import type { Queryable } from '../../db/statements.ts';
import { validationFailed } from '../kernel/errors.ts';

const idRow = z.object({ id: z.string() });

/**
 * Checks that all ids are those of members of the organisation.
 *
 * @param field of the request, for the message
 * @returns the ids, each once
 * @throws ServiceError VALIDATION_FAILED
 */
export async function requireMembers(
  db: Queryable,
  organisationId: string,
  field: string,
  ids: readonly string[],
): Promise<readonly string[]> {
  const distinct = [...new Set(ids)];
  if (distinct.length === 0) return [];
  const known = await db.any(sql.type(idRow)`
    select id from members
    where id = any(${array(distinct, 'uuid')}) and organisation_id = ${organisationId} and removed_at is null`);
  if (known.length < distinct.length)
    throw validationFailed({ [field]: 'must be ids of members of the organisation (GET /team)' });
  return distinct;
}
