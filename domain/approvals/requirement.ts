import { z } from 'zod';
import type { Queryable } from '../../db/statements.ts';
import { sql } from '../../db/sql.ts';
import type { GatedOperation } from './gated-operations.ts';

const requiredRow = z.object({ required: z.boolean() });

/**
 * Whether an agent's key needs a person's approval for an operation under the organisation's settings: null means every
 * gated operation (docs/spec/rulings.md, 11).
 */
export async function requiresApproval(
  db: Queryable,
  organisationId: string,
  operation: GatedOperation,
): Promise<boolean> {
  const { required } = await db.one(sql.type(requiredRow)`
    select coalesce(${operation as string} = any(approval_operations), true) as required
    from organisations where id = ${organisationId}`);
  return required;
}
