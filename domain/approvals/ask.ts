import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import { at, json, sql, timestamp } from '../../db/sql.ts';
import { hashBody } from '../idempotency.ts';
import { newId } from '../ids.ts';
import { APPROVAL_LIFETIME_MS } from './approval.ts';
import type { GatedOperation } from './gated-operations.ts';
import { tellProcess } from './process.ts';

/** A request that an agent's key makes, as far as an approval is bound to it. */
export interface RequestedAction {
  readonly siteId: string;
  readonly keyId: string;
  readonly action: GatedOperation;
  readonly method: string;
  /** Below the base address, with its ids in lower case. */
  readonly path: string;
  /** As it was sent. */
  readonly body: Readonly<Record<string, unknown>> | null;
  /** null where the request has no target. */
  readonly targetVersion: string | null;
}

const asked = z.object({ id: z.string(), status: z.string(), action: z.string(), expires_at: timestamp });

export type AskedApproval = z.infer<typeof asked>;

/** Asks a person to approve the request. Asking again makes another approval (specification, Authentication 7). */
export async function askApproval(
  tx: Transaction,
  wanted: RequestedAction,
  now: Date,
): Promise<AskedApproval> {
  const { siteId, keyId, action, method, path, body, targetVersion } = wanted;
  const expiresAt = new Date(now.getTime() + APPROVAL_LIFETIME_MS);
  const approval = await tx.one(sql.type(asked)`
    insert into approvals (
      id, site_id, key_id, action, method, path, body, body_hash, target_version, created_at, expires_at
    ) values (
      ${newId()}, ${siteId}, ${keyId}, ${action}, ${method}, ${path}, ${json(body)}, ${sql.binary(hashBody(body))},
      ${targetVersion}, ${at(now)}, ${at(expiresAt)}
    ) returning id, status, action, expires_at`);
  tellProcess(tx, siteId, approval.id, 'asked', now);
  return approval;
}

/** What the answer to a request that needs an approval says of it (decisions 11). */
export const presentAsked = ({ id, status, action, expires_at }: AskedApproval) => ({
  id,
  status,
  action,
  expires_at: expires_at.toISOString(),
});
