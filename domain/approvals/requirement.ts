import { z } from 'zod';
import type { Queryable } from '../../db/statements.ts';
import { sql } from '../../db/sql.ts';
import { gatesInForce } from './gated-operations.ts';
import type { GatedOperation } from './gated-operations.ts';

const chosenRow = z.object({
  approval_operations: z.array(z.string()).nullable(),
  approval_operations_offered: z.array(z.string()),
});

/** Those of some gates that are in force for the agents of an organisation, in the order given. */
export async function gatesOf(
  db: Queryable,
  organisationId: string,
  among: readonly GatedOperation[],
): Promise<readonly GatedOperation[]> {
  const inForce = gatesInForce(
    await db.one(sql.type(chosenRow)`
      select approval_operations, approval_operations_offered from organisations where id = ${organisationId}`),
  );
  return among.filter((gate) => inForce.includes(gate));
}
