import { actionOf } from '../../packages/base/approval-actions.ts';
import type { Transaction } from '../../db/transaction.ts';
import { at, json, sql } from '../../db/sql.ts';
import { requireRoom } from '../kernel/ceilings.ts';
import { recordChange } from '../audit/change.ts';
import type { Change } from '../audit/change.ts';
import { mayBeWanted, offerEvent } from '../events/events.ts';
import { hashBody } from '../kernel/idempotency.ts';
import { notify } from '../notifications/notify.ts';
import { newId } from '../kernel/ids.ts';
import { signalWorkflow } from '../kernel/workflow-messages.ts';
import { APPROVAL_LIFETIME_MS, askedRow, getApproval } from './approval.ts';
import type { AskedApproval } from './approval.ts';
import type { GatedOperation } from './gated-operations.ts';
import { presentApproval } from './present.ts';

/** The parts of an agent's request that an approval is bound to. */
export interface RequestedAction {
  readonly siteId: string;
  readonly keyId: string;
  readonly action: GatedOperation;
  readonly method: string;
  /** Relative to the base address, with ids in lower case. */
  readonly path: string;
  /** The body as it was sent. */
  readonly body: Readonly<Record<string, unknown>> | null;
  /** Members of the body that are secrets. */
  readonly hidden?: readonly string[];
  /** null if the request has no target. */
  readonly targetVersion: string | null;
  /** The description of the target for the person who decides. */
  readonly target: Readonly<Record<string, unknown>> | null;
}

/** Approvals of a Site that may be pending. */
export const PENDING_LIMIT = 200;

/**
 * Asks a person to approve the request. Each call creates another approval
 * (docs/spec/service-api.md, Authentication, 7).
 *
 * @throws ServiceError CONFLICT if the Site has reached its limit of pending approvals
 */
export async function askApproval(change: Change, wanted: RequestedAction): Promise<AskedApproval> {
  const { tx, now } = change;
  const { siteId, keyId, action, method, path, body, hidden = [], targetVersion } = wanted;
  await requireRoomToAsk(tx, siteId, now);
  const expiresAt = new Date(now.getTime() + APPROVAL_LIFETIME_MS);
  const approval = await tx.one(sql.type(askedRow)`
    insert into approvals (
      id, site_id, key_id, action, method, path, body, body_hash, target_version, target, created_at, expires_at
    ) values (
      ${newId()}, ${siteId}, ${keyId}, ${action}, ${method}, ${path}, ${json(withoutSecrets(body, hidden))}, ${sql.binary(hashBody(body))},
      ${targetVersion}, ${json(wanted.target)}, ${at(now)}, ${at(expiresAt)}
    ) returning id, status, action, expires_at`);
  if (mayBeWanted(change.site, 'approval.requested')) {
    const shown = presentApproval(await getApproval(tx, siteId, approval.id, now));
    offerEvent(change, 'approval.requested', () => shown);
  }
  const target = { type: 'approval', id: approval.id };
  recordChange(change, 'approval.ask', target, { action, method, path });
  const named = { action: actionOf(wanted) };
  notify(tx, { kind: 'approval.requested', siteId, actor: change.actor, target, named }, now);
  signalWorkflow(tx, 'approval', { approvalId: approval.id, siteId, signal: 'asked' }, now);
  return approval;
}

/** A secret is shown as one, so that the person sees that it is set; null removes it, and is shown. */
const withoutSecrets = (body: RequestedAction['body'], hidden: readonly string[]): RequestedAction['body'] =>
  body &&
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      hidden.includes(name) && value !== null ? '(secret)' : value,
    ]),
  );

const requireRoomToAsk = (tx: Transaction, siteId: string, now: Date): Promise<void> =>
  requireRoom(tx, siteId, {
    limit: PENDING_LIMIT,
    existing: sql.fragment`
      select from approvals where site_id = ${siteId} and status = 'pending' and expires_at > ${at(now)}`,
    message: `${PENDING_LIMIT} approvals of this Site wait for a decision, which is the limit. Have a person decide (GET /approvals lists them), or wait: approvals expire after 24 hours.`,
  });
