import { z } from 'zod';
import { at, sql } from '../../db/sql.ts';
import type { Queryable } from '../../db/statements.ts';
import type { Transaction } from '../../db/transaction.ts';

const accountRow = z.object({
  name: z.string(),
  version: z.number(),
  customer_id: z.string().nullable(),
  top_up_enabled: z.boolean(),
  top_up_below: z.number().nullable(),
  top_up_pack: z.string().nullable(),
  top_up_monthly_limit: z.number().nullable(),
});

/** An organisation as a customer. It need not have bought anything. */
export type Account = z.infer<typeof accountRow>;

export const readAccount = (db: Queryable, organisationId: string): Promise<Account> =>
  db.one(sql.type(accountRow)`
    select o.name, o.version, a.customer_id, coalesce(a.top_up_enabled, false) as top_up_enabled, a.top_up_below,
      a.top_up_pack, a.top_up_monthly_limit
    from organisations o left join billing_accounts a on a.organisation_id = o.id where o.id = ${organisationId}`);

const customerRow = z.object({ customer_id: z.string() });

/** Stores the customer that was created for an organisation. @returns the one that it has: the first that was stored */
export async function adoptCustomer(
  tx: Transaction,
  organisationId: string,
  customerId: string,
  now: Date,
): Promise<string> {
  const row = await tx.one(sql.type(customerRow)`
    insert into billing_accounts as a (organisation_id, customer_id, created_at)
    values (${organisationId}, ${customerId}, ${at(now)})
    on conflict on constraint billing_accounts_pkey
      do update set customer_id = coalesce(a.customer_id, excluded.customer_id)
    returning customer_id`);
  return row.customer_id;
}

const organisationRow = z.object({ organisation_id: z.string() });

/** The organisation of a customer; null if it has none here. */
export async function findOrganisationOf(db: Queryable, customerId: string): Promise<string | null> {
  const row = await db.maybeOne(sql.type(organisationRow)`
    select organisation_id from billing_accounts where customer_id = ${customerId}`);
  return row?.organisation_id ?? null;
}
