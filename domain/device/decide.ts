import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import { array, sql, statement } from '../../db/sql.ts';
import { roles } from '../access/permissions.ts';
import { roleCoversScope } from '../access/scopes.ts';
import type { Scope } from '../access/scopes.ts';
import { recordAudit } from '../audit/record.ts';
import type { Actor } from '../audit/record.ts';
import { conflict, notFound } from '../kernel/errors.ts';
import type { SecretBox } from '../kernel/secret-box.ts';
import { lockByUserCode } from './authorization.ts';
import type { DeviceAuthorization } from './authorization.ts';
import { readUserCode } from './codes.ts';

const roleRow = z.object({ role: z.enum(roles) });

export type Decision = 'approved' | 'denied';

/** Who decides, and for which Site. */
export interface Decider {
  readonly actor: Actor;
  readonly memberId: string;
  readonly site: { readonly id: string; readonly organisationId: string };
  /** Whether the new key is for drafts only even if the device has not asked for that. */
  readonly draftsOnly: boolean;
  /** Set if a key decides: it can hand on only scopes that it carries. */
  readonly key: { readonly id: string; readonly scopes: readonly Scope[] } | null;
}

/**
 * Finds an authorization by the typed code, and locks it until the transaction ends.
 *
 * @returns null for an unknown or expired code
 */
export async function findByUserCode(
  tx: Transaction,
  box: SecretBox,
  typed: string,
  now: Date,
): Promise<DeviceAuthorization | null> {
  const code = readUserCode(typed);
  return code === null ? null : await lockByUserCode(tx, box, code, now);
}

/**
 * Approves or denies a device's sign-in, once. The approved scopes are those of the requested ones that the person and
 * the key can give.
 *
 * @returns the scopes approved, or requested
 * @throws ServiceError CONFLICT if it has been decided already
 */
export async function decideDeviceSignIn(
  tx: Transaction,
  found: DeviceAuthorization,
  decision: Decision,
  by: Decider,
  now: Date,
): Promise<readonly Scope[]> {
  if (found.decision !== null) {
    throw conflict(`This sign-in has been ${found.decision} already. The device can begin a new one.`);
  }
  const draftsOnly = found.drafts_only || by.draftsOnly;
  const granted = decision === 'approved' ? await grantable(tx, found.scopes, by) : found.scopes;
  await tx.exec(statement`
    update device_authorizations set decision = ${decision}, member_id = ${by.memberId}, site_id = ${by.site.id},
      deciding_key_id = ${by.key?.id ?? null}, scopes = ${array([...granted], 'text')}, drafts_only = ${draftsOnly}
    where id = ${found.id}`);
  recordAudit(
    tx,
    {
      actor: by.actor,
      action: decision === 'approved' ? 'device_sign_in.approve' : 'device_sign_in.deny',
      target: { type: 'device_sign_in', id: found.id },
      siteId: by.site.id,
      organisationId: by.site.organisationId,
      details: {
        client_name: found.client_name,
        scopes: granted,
        held_by_agent: found.held_by_agent,
        drafts_only: draftsOnly,
      },
    },
    now,
  );
  return granted;
}

async function grantable(tx: Transaction, asked: readonly Scope[], by: Decider): Promise<readonly Scope[]> {
  const member = await tx.maybeOne(sql.type(roleRow)`
    select role from members where id = ${by.memberId} and removed_at is null`);
  if (member === null) throw notFound('member');
  return asked.filter(
    (scope) => roleCoversScope(member.role, scope) && (by.key === null || by.key.scopes.includes(scope)),
  );
}
