import type { Transaction } from '../../db/transaction.ts';
import { notify } from '../notifications/notify.ts';

/** Tells those who manage the billing that money did not come, or was taken back. */
export const tellOfProblem = (
  tx: Transaction,
  organisationId: string,
  problem: 'top_up_failed' | 'dispute' | 'past_due' | 'ended',
  now: Date,
): void => {
  const target = { type: 'organisation', id: organisationId };
  const named = { problem };
  notify(tx, { kind: 'billing.problem', siteId: null, organisationId, actor: null, target, named }, now);
};
