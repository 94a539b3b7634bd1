import { z } from 'zod';
import { sql } from '../../db/sql.ts';
import type { Queryable } from '../../db/statements.ts';
import { readAccount } from './account.ts';
import type { Account } from './account.ts';
import { readOverage } from './overage.ts';
import type { Overage } from './overage.ts';
import { findCurrentSubscription } from './subscription.ts';
import type { Subscription } from './subscription.ts';

const balanceRow = z.object({ balance: z.number() });

/** The balance of an organisation. */
export interface BillingState {
  readonly account: Account;
  readonly subscription: Subscription | null;
  readonly balance: number;
  /** Of the current month. */
  readonly overage: Overage;
}

export async function readBilling(db: Queryable, organisationId: string, now: Date): Promise<BillingState> {
  const [account, subscription, { balance }, overage] = await Promise.all([
    readAccount(db, organisationId),
    findCurrentSubscription(db, organisationId),
    db.one(sql.type(balanceRow)`
      select credit_balance as balance from organisations where id = ${organisationId}`),
    readOverage(db, organisationId, now),
  ]);
  return { account, subscription, balance, overage };
}
