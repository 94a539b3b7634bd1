import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { array, at, sql, statement, timestamp } from '../../db/sql.ts';
import { recordAudit } from '../audit.ts';
import type { Actor } from '../audit.ts';
import { notFound, validationFailed } from '../errors.ts';
import { newId } from '../ids.ts';
import { displayPrefix, generateSecret, hashSecret } from './key-secret.ts';
import type { KeyKind } from './key-secret.ts';
import { roles } from './permissions.ts';
import { isPublishableScope, roleCoversScope } from './scopes.ts';
import type { Scope } from './scopes.ts';

const keyRow = z.object({
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
  created_at: timestamp,
});

export type ApiKey = z.infer<typeof keyRow>;

const keyColumns = sql.fragment`
  k.id, k.name, k.kind, k.key_prefix, k.scopes, k.held_by_agent, k.last_used_at, k.expires_at, k.revoked_at, k.version,
  k.created_at`;

export interface NewKey {
  readonly siteId: string;
  /** The person in whose name the key acts. */
  readonly memberId: string;
  readonly name: string;
  readonly kind: KeyKind;
  readonly scopes: readonly Scope[];
  readonly heldByAgent: boolean;
  readonly expiresAt: Date | null;
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
      details: { kind: key.kind, scopes: granted, held_by_agent: key.held_by_agent },
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
