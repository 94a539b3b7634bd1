import { includedStorage, plans } from '../kernel/plans.ts';
import type { Plan } from '../kernel/plans.ts';
import { ENDPOINT_LIMIT } from '../webhooks/manage.ts';
import type { LedgerEntry } from './credits.ts';
import { periodOf } from '../kernel/period.ts';
import type { Usage } from './usage.ts';

/** Usage as the API shows it (docs/spec/rulings.md, 9). */
export function presentUsage(usage: Usage, plan: Plan, now: Date) {
  const { start, end } = periodOf(now);
  const { spend_cap: cap, credits_spent: spent } = usage;
  return {
    plan: { key: plan, ...plans[plan] },
    period: { start: start.toISOString(), end: end.toISOString() },
    usage: {
      documents: usage.documents,
      media_bytes: usage.media_bytes,
      pipeline_runs: usage.pipeline_runs,
      credits_spent: spent,
    },
    limits: {
      documents: includedStorage.documents,
      media_bytes: includedStorage.mediaBytes,
      webhook_endpoints: ENDPOINT_LIMIT,
    },
    credits: { balance: usage.credit_balance },
    spend_cap: cap === null ? null : { limit: cap, spent, remaining: Math.max(0, cap - spent) },
  };
}

/** A line of the ledger as the API shows it. */
export const presentEntry = (entry: LedgerEntry) => ({
  id: entry.id,
  kind: entry.kind,
  amount: entry.amount,
  balance: entry.balance,
  run_id: entry.run_id,
  article_id: entry.article_id,
  stage: entry.stage,
  scan_id: entry.scan_id,
  payment_id: entry.payment_id,
  created_at: entry.created_at.toISOString(),
});
