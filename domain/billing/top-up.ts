import { z } from 'zod';
import { enqueueIf } from '../../db/outbox.ts';
import { at, sql, statement } from '../../db/sql.ts';
import type { FragmentSqlToken } from '../../db/sql.ts';
import type { Transaction } from '../../db/transaction.ts';
import { recordOrganisationChange } from '../audit/change.ts';
import type { Act } from '../audit/change.ts';
import { differences } from '../audit/details.ts';
import { validationFailed } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import { periodOf } from '../kernel/period.ts';
import { rescue, workflowMessage } from '../kernel/workflow-messages.ts';
import { nothingSeen } from './seen.ts';

/** How automatic purchases are set. */
export interface TopUpSettings {
  readonly enabled: boolean;
  readonly below: number | null;
  readonly pack: string | null;
  readonly monthly_limit: number | null;
}

export type TopUpChanges = {
  readonly [Name in keyof TopUpSettings]?: NonNullable<TopUpSettings[Name]> | undefined;
};

const settingsRow = z.object({
  enabled: z.boolean(),
  below: z.number().nullable(),
  pack: z.string().nullable(),
  monthly_limit: z.number().nullable(),
});

/**
 * Changes the settings of automatic purchases. Switched on below its threshold, it buys at once.
 *
 * @throws ServiceError VALIDATION_FAILED if it is switched on without one of its values
 */
export async function changeTopUp(
  act: Act,
  organisationId: string,
  changes: TopUpChanges,
): Promise<TopUpSettings> {
  const { tx, now } = act;
  // In the order of a charge: first the balance, then its purchases.
  await tx.exec(statement`select from organisations where id = ${organisationId} for no key update`);
  await tx.exec(statement`
    insert into billing_accounts (organisation_id, created_at) values (${organisationId}, ${at(now)})
    on conflict on constraint billing_accounts_pkey do nothing`);
  const before = await tx.one(sql.type(settingsRow)`
    select top_up_enabled as enabled, top_up_below as below, top_up_pack as pack, top_up_monthly_limit as monthly_limit
    from billing_accounts where organisation_id = ${organisationId} for no key update`);
  const next: TopUpSettings = {
    enabled: changes.enabled ?? before.enabled,
    below: changes.below ?? before.below,
    pack: changes.pack ?? before.pack,
    monthly_limit: changes.monthly_limit ?? before.monthly_limit,
  };
  requireComplete(next);
  const begun = next.enabled && !before.enabled;
  const details = differences(before, next, ['enabled', 'below', 'pack', 'monthly_limit']);
  if (Object.keys(details).length === 0) return next;
  await tx.exec(statement`
    update billing_accounts set top_up_enabled = ${next.enabled}, top_up_below = ${next.below},
      top_up_pack = ${next.pack}, top_up_monthly_limit = ${next.monthly_limit},
      top_up_since = ${begun ? sql.fragment`${at(now)}::timestamptz` : sql.fragment`top_up_since`}
    where organisation_id = ${organisationId}`);
  const target = { type: 'organisation', id: organisationId };
  recordOrganisationChange(act, 'billing.auto_top_up', organisationId, target, details);
  if (begun) topUpIfBelow(tx, sql.fragment`${organisationId}::uuid`, now);
  return next;
}

function requireComplete(settings: TopUpSettings): void {
  if (!settings.enabled) return;
  const missing = (['below', 'pack', 'monthly_limit'] as const).filter((name) => settings[name] === null);
  if (missing.length === 0) return;
  throw validationFailed(
    Object.fromEntries(missing.map((name) => [name, 'is required to switch the automatic purchases on'])),
  );
}

/** Declined cards in a day after which no other purchase is tried, so that a broken card is not tried at each charge. */
const DECLINES = 3;
const A_DAY_MS = 24 * 60 * 60_000;

/**
 * Orders a pack with COMMIT if the balance is below the threshold, none is in flight, and the month has room. The
 * transaction has locked the organisation, so those who spend at the same time count each other's orders.
 *
 * @param organisationId its id, or a statement that selects it
 */
export function topUpIfBelow(tx: Transaction, organisationId: FragmentSqlToken, now: Date): void {
  const paymentId = newId();
  const aDayAgo = new Date(now.getTime() - A_DAY_MS);
  tx.atCommit(statement`
    insert into billing_payments (id, organisation_id, cause, pack, quantity, status, seen, created_at)
    select ${paymentId}, o.id, 'top_up', a.top_up_pack, 1, 'open', ${JSON.stringify(nothingSeen)}::jsonb, ${at(now)}
    from billing_accounts a join organisations o on o.id = a.organisation_id
    where a.organisation_id = ${organisationId} and a.top_up_enabled and o.credit_balance < a.top_up_below
      and o.deleting_since is null
      and (
        select count(*) from billing_payments p
        where p.organisation_id = o.id and p.cause = 'top_up' and p.status <> 'failed'
          and p.created_at >= ${at(periodOf(now).start)}
      ) < a.top_up_monthly_limit
      and (
        select count(*) from billing_payments p
        where p.organisation_id = o.id and p.cause = 'top_up' and p.status = 'failed'
          and p.created_at >= greatest(a.top_up_since, ${at(aDayAgo)}::timestamptz)
      ) < ${DECLINES}::int
    on conflict (organisation_id) where cause = 'top_up' and status = 'open' do nothing`);
  const ordered = sql.fragment`exists (select from billing_payments where id = ${paymentId})`;
  enqueueIf(tx, workflowMessage('top-up', { paymentId }), now, ordered);
}

/** Starts the workflows of purchases that are still open after `graceMs`. */
export function rescueTopUps(tx: Transaction, now: Date, graceMs: number): Promise<number> {
  const lost = sql.fragment`
    select id from billing_payments
    where cause = 'top_up' and status = 'open' and created_at < ${at(new Date(now.getTime() - graceMs))}
    order by created_at`;
  return rescue(tx, 'top-up', null, lost, now);
}
