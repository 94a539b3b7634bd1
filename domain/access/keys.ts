import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import type { Queryable } from '../../db/statements.ts';
import { array, at, sql, statement } from '../../db/sql.ts';
import { recordChange } from '../audit/change.ts';
import type { Act, Change } from '../audit/change.ts';
import { requireRoom } from '../kernel/ceilings.ts';
import { offerEvent } from '../events/events.ts';
import { notFound, validationFailed } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import { byId, readPage } from '../kernel/page.ts';
import type { Page, PageRequest } from '../kernel/page.ts';
import { siteObject } from '../kernel/site-object.ts';
import type { Site } from '../kernel/site.ts';
import { keyColumns, keyRow } from './key.ts';
import type { ApiKey } from './key.ts';
import { endGraces } from './key-graces.ts';
import { displayPrefix, generateSecret, hashSecret } from './key-secret.ts';
import type { KeyKind } from './key-secret.ts';
import { roles } from './permissions.ts';
import { presentKey } from './present.ts';
import { isPublishableScope, roleCoversScope } from './scopes.ts';
import type { Scope } from './scopes.ts';

/** Keys of a Site that are neither revoked nor expired, without those of the dashboard, so that nobody can lock people out. */
export const KEY_LIMIT = 1_000;

export interface NewKey {
  readonly siteId: string;
  /** The person in whose name the key acts. */
  readonly memberId: string;
  readonly name: string;
  readonly kind: KeyKind;
  readonly scopes: readonly Scope[];
  readonly heldByAgent: boolean;
  /** Whether it may only write what no reader sees (docs/spec/rulings.md, 23, Keys for drafts). */
  readonly draftsOnly: boolean;
  /** null for a key that never expires. With `parent`, undefined means the parent's expiry. */
  readonly expiresAt: Date | null | undefined;
  /** The key that creates this one, which must not outlive it. */
  readonly parent?: Pick<ApiKey, 'expires_at'>;
  /** The device sign-in that the key results from. */
  readonly deviceAuthorizationId?: string;
  /** The access by OAuth that the key results from. */
  readonly oauthGrantId?: string;
  /** The session whose dashboard the key is for. Such keys have a bound of their own (domain/sign-in/dashboard-keys.ts). */
  readonly sessionId?: string;
}

/** A key with its secret, which can be read at this moment only. */
export interface KeyWithSecret {
  readonly key: ApiKey;
  readonly secret: string;
}

const creatorRow = z.object({
  role: z.enum(roles),
  organisation_id: z.string(),
  subscribed_events: z.array(z.string()),
});

/**
 * Creates a key with the given scopes that its creator's permissions cover. Only the hash of the secret is stored.
 *
 * @throws ServiceError NOT_FOUND if the person is not a member of the Site's organisation; CONFLICT if the Site has
 *   reached its limit of keys; VALIDATION_FAILED for an expiry that the parent does not allow, a scope that a
 *   publishable key may not carry, or a publishable key for drafts
 */
export async function createKey(act: Act, values: NewKey): Promise<KeyWithSecret> {
  const { tx, now } = act;
  const creator = await tx.maybeOne(sql.type(creatorRow)`
    select m.role, m.organisation_id, s.subscribed_events from members m join sites s on s.organisation_id = m.organisation_id
    where m.id = ${values.memberId} and s.id = ${values.siteId} and m.removed_at is null and s.deleting_since is null`);
  if (creator === null) throw notFound('member of the Site’s organisation');
  if (values.sessionId === undefined) await requireRoomForKey(tx, values.siteId, now);
  const expiresAt = expiryOf(values, now);
  if (values.draftsOnly && values.kind === 'publishable')
    throw validationFailed({ kind: 'must be secret for a key for drafts: a publishable key writes nothing' });
  const refused =
    values.kind === 'publishable' ? values.scopes.filter((scope) => !isPublishableScope(scope)) : [];
  if (refused.length > 0) {
    throw validationFailed({ scopes: `a publishable key may not carry ${refused.join(', ')}` });
  }
  const granted = [...new Set(values.scopes)].filter((scope) => roleCoversScope(creator.role, scope));
  const secret = generateSecret(values.kind);
  const key = await tx.one(sql.type(keyRow)`
    insert into api_keys as k (id, site_id, member_id, name, kind, key_prefix, scopes, held_by_agent, drafts_only, created_at,
      expires_at, session_id)
    values (${newId()}, ${values.siteId}, ${values.memberId}, ${values.name}, ${values.kind}, ${displayPrefix(secret)},
      ${array(granted, 'text')}, ${values.heldByAgent}, ${values.draftsOnly}, ${at(now)},
      ${expiresAt && at(expiresAt)}, ${values.sessionId ?? null})
    returning ${keyColumns}`);
  await tx.exec(statement`
    insert into api_key_secrets (hash, key_id, created_at) values (${sql.binary(hashSecret(secret))}, ${key.id}, ${at(now)})`);
  const { organisation_id: organisationId, subscribed_events: subscribedEvents } = creator;
  const change = { ...act, site: { id: values.siteId, organisationId, subscribedEvents } };
  // The keys of the dashboard come and go with sessions.
  if (values.sessionId === undefined) offerEvent(change, 'key.created', () => presentKey(key));
  recordChange(
    change,
    'key.create',
    { type: 'key', id: key.id },
    {
      kind: key.kind,
      scopes: granted,
      held_by_agent: key.held_by_agent,
      drafts_only: key.drafts_only,
      device_sign_in: values.deviceAuthorizationId,
      oauth_grant: values.oauthGrantId,
    },
  );
  return { key, secret };
}

/** @throws ServiceError CONFLICT if the Site has reached its limit of usable keys */
export const requireRoomForKey = (tx: Transaction, siteId: string, now: Date): Promise<void> =>
  requireRoom(tx, siteId, {
    limit: KEY_LIMIT,
    // Uses the order of the index: the planner does not know that few unrevoked keys never expire, and would scan the
    // whole table.
    existing: sql.fragment`
      (select from api_keys where site_id = ${siteId} and session_id is null and revoked_at is null and expires_at is null
        order by expires_at limit ${KEY_LIMIT})
      union all
      (select from api_keys where site_id = ${siteId} and session_id is null and revoked_at is null and expires_at > ${at(now)}
        order by expires_at limit ${KEY_LIMIT})`,
    message: `This Site has ${KEY_LIMIT} keys, which is the limit. Revoke one that is no longer needed: DELETE /keys/{id}.`,
  });

/** @throws ServiceError VALIDATION_FAILED for an expiry that has passed or is later than the parent's */
function expiryOf({ expiresAt, parent }: NewKey, now: Date): Date | null {
  if (parent === undefined) return expiresAt ?? null;
  const latest = parent.expires_at;
  const end = expiresAt === undefined ? latest : expiresAt;
  if (end !== null && end <= now) throw validationFailed({ expires_at: 'must be in the future' });
  if (latest !== null && (end === null || end > latest)) {
    const problem = `must be ${latest.toISOString()} at the latest, which is when the calling key expires`;
    throw validationFailed({ expires_at: problem });
  }
  return end;
}

/** A page of a Site's keys, newest first, including revoked ones. */
export function listKeys(db: Queryable, site: Site, request: PageRequest): Promise<Page<ApiKey>> {
  return readPage(site, 'keys', request, byId('k', 'desc'), ({ after, order }, count) =>
    db.any(sql.type(keyRow)`
      select ${keyColumns} from api_keys k
      where k.site_id = ${site.id} and ${after} order by ${order} limit ${count}`),
  );
}

export const { getForUpdate: getKeyForUpdate } = siteObject({
  row: keyRow,
  columns: keyColumns,
  from: sql.fragment`api_keys k`,
  noun: 'key',
});

/** Revokes a key for good; its record is kept. Idempotent. */
export async function revokeKey(change: Change, current: ApiKey): Promise<void> {
  if (current.revoked_at !== null) return;
  const { tx, now } = change;
  await tx.exec(statement`
    update api_keys set revoked_at = ${at(now)}, version = version + 1 where id = ${current.id}`);
  await endGraces(change, current.id);
  recordChange(change, 'key.revoke', { type: 'key', id: current.id }, {});
  if (current.session_id === null)
    offerEvent(change, 'key.revoked', () => presentKey({ ...current, revoked_at: now }));
}
