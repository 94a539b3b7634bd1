import type { FragmentSqlToken } from '../../db/sql.ts';
import { at, statement } from '../../db/sql.ts';
import type { AuditAction } from '../audit/actions.ts';
import { recordChange } from '../audit/change.ts';
import type { Change } from '../audit/change.ts';
import { conflict } from '../kernel/errors.ts';

/** What runs of the pipeline and scans have in common: each of their units is paid before it begins. */

export const workStatuses = ['queued', 'running', 'completed', 'partial', 'failed', 'cancelled'] as const;

export const workReasons = [
  'insufficient_credits',
  'spend_cap_reached',
  'cancelled',
  'provider_unavailable',
] as const;

type WorkStatus = (typeof workStatuses)[number];
/** Why it ended before everything was done. */
export type StopReason = (typeof workReasons)[number];

/** How many workers may be lost during a unit before it fails: the unit may crash them. */
export const WORKERS_LOST = 10;

/** Running work without progress for this long has lost its workflow; the longest unit is shorter. */
export const SILENCE_MS = 60 * 60_000;

export const hasEnded = ({ status }: { readonly status: WorkStatus }): boolean =>
  status !== 'queued' && status !== 'running';

/** How work ends. @param stopped null if everything was done */
export function outcomeOf(stopped: StopReason | null): [WorkStatus, StopReason | null] {
  if (stopped === null) return ['completed', null];
  if (stopped === 'cancelled') return ['cancelled', stopped];
  return [stopped === 'provider_unavailable' ? 'failed' : 'partial', stopped];
}

export interface AskedWork {
  readonly noun: 'run' | 'scan';
  readonly table: FragmentSqlToken;
  readonly action: AuditAction;
  readonly type: string;
}

/** Asks work to end at its next boundary. @throws ServiceError CONFLICT if it has ended */
export async function askToEnd(
  change: Change,
  { id, status }: { readonly id: string; readonly status: WorkStatus },
  { noun, table, action, type }: AskedWork,
): Promise<void> {
  if (hasEnded({ status })) throw conflict(`The ${noun} has ended: it is ${status}.`);
  const asked = await change.tx.exec(statement`
    update ${table} set cancel_requested_at = ${at(change.now)} where id = ${id} and cancel_requested_at is null`);
  if (asked > 0) recordChange(change, action, { type, id }, { status });
}
