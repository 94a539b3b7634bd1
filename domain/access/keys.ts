import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import type { Queryable } from '../../db/statements.ts';
import { array, at, sql, statement, timestamp } from '../../db/sql.ts';
import { recordAudit } from '../audit.ts';
import type { Actor } from '../audit.ts';
import { recordChange } from '../change.ts';
import type { Change } from '../change.ts';
import { notFound, validationFailed } from '../errors.ts';
import { newId } from '../ids.ts';
import { readPage } from '../page.ts';
import type { Page, PageRequest } from '../page.ts';
import type { Site } from './authenticate.ts';
import { cutGraces } from './key-graces.ts';
import { displayPrefix, generateSecret, hashSecret } from './key-secret.ts';
import type { KeyKind } from './key-secret.ts';
import { roles } from './permissions.ts';
import { isPublishableScope, roleCoversScope } from './scopes.ts';
import type { Scope } from './scopes.ts';

export const keyRow = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(['publishable', 'secret']),
  key_prefix: z.string(),
  scopes: z.array(z.string()),
  held_by_agent: z.boolean(),
  last_used_at: timestamp.nullable(),
  expires_at: timestamp.nullable(),
  revoked_at: timestamp.nullable(),
  version: z.number(),
  rotations: z.number(),
  created_at: timestamp,
});

export type ApiKey = z.infer<typeof keyRow>;

export const keyColumns = sql.fragment`
  k.id, k.name, k.kind, k.key_prefix, k.scopes, k.held_by_agent, k.last_used_at, k.expires_at, k.revoked_at, k.version,
  k.rotations, k.created_at`;

export interface NewKey {
  readonly siteId: string;
  /** The person in whose name the key acts. */
  readonly memberId: string;
  readonly name: string;
  readonly kind: KeyKind;
  readonly scopes: readonly Scope[];
  readonly heldByAgent: boolean;
  readonly expiresAt: Date | null;
  /** The sign-in by device code that it comes from. */
  readonly deviceAuthorizationId?: string;
}

/** A key together with its secret: the one moment at which anybody can read it. */
export interface KeyWithSecret {
  readonly key: ApiKey;
  readonly secret: string;
}

const creatorRow = z.object({ role: z.enum(roles), organisation_id: z.string() });

/**
 * Creates a key, with those of the scopes that its creator's permissions cover; only the secret's hash is stored.
 *
 * @throws ServiceError NOT_FOUND where the person is no member of the Site's organisation, VALIDATION_FAILED
 *   for a scope that a publishable key may not carry
 */
export async function createKey(
  tx: Transaction,
  actor: Actor,
  values: NewKey,
  now: Date,
): Promise<KeyWithSecret> {
  const creator = await tx.maybeOne(sql.type(creatorRow)`
    select m.role, m.organisation_id from members m join sites s on s.organisation_id = m.organisation_id
    where m.id = ${values.memberId} and s.id = ${values.siteId} and m.removed_at is null`);
  if (creator === null) throw notFound('member of the Site’s organisation');
  const refused =
    values.kind === 'publishable' ? values.scopes.filter((scope) => !isPublishableScope(scope)) : [];
  if (refused.length > 0) {
    throw validationFailed({ scopes: `a publishable key may not carry ${refused.join(', ')}` });
  }
  const granted = [...new Set(values.scopes)].filter((scope) => roleCoversScope(creator.role, scope));
  const secret = generateSecret(values.kind);
  const key = await tx.one(sql.type(keyRow)`
    insert into api_keys as k (id, site_id, member_id, name, kind, key_prefix, scopes, held_by_agent, created_at, expires_at)
    values (${newId()}, ${values.siteId}, ${values.memberId}, ${values.name}, ${values.kind}, ${displayPrefix(secret)},
      ${array(granted, 'text')}, ${values.heldByAgent}, ${at(now)}, ${values.expiresAt && at(values.expiresAt)})
    returning ${keyColumns}`);
  await tx.exec(statement`
    insert into api_key_secrets (hash, key_id, created_at) values (${sql.binary(hashSecret(secret))}, ${key.id}, ${at(now)})`);
  await recordAudit(
    tx,
    {
      actor,
      action: 'key.create',
      target: { type: 'key', id: key.id },
      siteId: values.siteId,
      organisationId: creator.organisation_id,
      details: {
        kind: key.kind,
        scopes: granted,
        held_by_agent: key.held_by_agent,
        device_sign_in: values.deviceAuthorizationId,
      },
    },
    now,
  );
  return { key, secret };
}

/** A key as the API shows it; the secret stands beside it only in the answers that hand it out. */
export const presentKey = (key: ApiKey) => ({
  id: key.id,
  name: key.name,
  kind: key.kind,
  key_prefix: key.key_prefix,
  scopes: key.scopes,
  held_by_agent: key.held_by_agent,
  last_used_at: key.last_used_at?.toISOString() ?? null,
  expires_at: key.expires_at?.toISOString() ?? null,
  revoked_at: key.revoked_at?.toISOString() ?? null,
  created_at: key.created_at.toISOString(),
});

/** A page of a Site's keys, newest first; revoked ones stay listed. */
export function listKeys(db: Queryable, site: Site, request: PageRequest): Promise<Page<ApiKey>> {
  return readPage(
    { key: site.cursorKey, query: 'keys' },
    request,
    (after, count) => {
      const behind = after === null ? sql.fragment`` : sql.fragment`and k.id < ${after.id}`;
      return db.any(sql.type(keyRow)`
        select ${keyColumns} from api_keys k
        where k.site_id = ${site.id} ${behind} order by k.id desc limit ${count}`);
    },
    (row) => ({ key: null, id: row.id }),
  );
}

/**
 * Reads and locks until the transaction ends.
 *
 * @throws ServiceError NOT_FOUND
 */
export async function getKeyForChange(tx: Transaction, siteId: string, id: string): Promise<ApiKey> {
  const key = await tx.maybeOne(sql.type(keyRow)`
    select ${keyColumns} from api_keys k where k.id = ${id} and k.site_id = ${siteId} for no key update`);
  if (key === null) throw notFound('key');
  return key;
}

/** Revokes a key for good; its record is kept. Twice is the same as once. */
export async function revokeKey(change: Change, current: ApiKey): Promise<void> {
  if (current.revoked_at !== null) return;
  await change.tx.exec(statement`
    update api_keys set revoked_at = ${at(change.now)}, version = version + 1 where id = ${current.id}`);
  await cutGraces(change, current.id);
  await recordChange(change, 'key.revoke', { type: 'key', id: current.id }, {});
}
