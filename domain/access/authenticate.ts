import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import { at, sql, timestamp } from '../../db/sql.ts';
import { ServiceError } from '../errors.ts';
import { hashSecret, isWellFormedSecret } from './key-secret.ts';
import { roles } from './permissions.ts';
import type { Role } from './permissions.ts';
import { countRequest, rateLimitState } from './rate-limits.ts';
import type { RateClass, RateLimitState } from './rate-limits.ts';
import type { Scope } from './scopes.ts';

/** The Site a request works on: resolved from its key, never from a parameter. */
export interface Site {
  readonly id: string;
  readonly organisationId: string;
  readonly name: string;
  readonly domain: string;
  readonly locale: string;
  readonly timezone: string;
  readonly cursorKey: Buffer;
  readonly createdAt: Date;
}

/** Who calls: a key, and the person who made it as they stand at this moment. */
export interface Caller {
  readonly keyId: string;
  readonly keyName: string;
  readonly kind: 'publishable' | 'secret';
  readonly scopes: readonly Scope[];
  readonly heldByAgent: boolean;
  readonly memberId: string;
  /** null once the person has been removed. */
  readonly role: Role | null;
  readonly agentAccess: boolean;
  readonly plan: 'free' | 'pro';
}

export interface Authenticated {
  readonly caller: Caller;
  readonly site: Site;
  readonly rateLimit: RateLimitState;
  /** Seconds for `Retry-After` while writes are paused, else null. */
  readonly maintenance: number | null;
}

const row = z.object({
  key_id: z.string(),
  key_name: z.string(),
  kind: z.enum(['publishable', 'secret']),
  scopes: z.array(z.string()),
  held_by_agent: z.boolean(),
  expires_at: timestamp.nullable(),
  revoked_at: timestamp.nullable(),
  valid_until: timestamp.nullable(),
  member_id: z.string(),
  role: z.enum(roles).nullable(),
  organisation_id: z.string(),
  agent_access: z.boolean(),
  plan: z.enum(['free', 'pro']),
  site_id: z.string(),
  site_name: z.string(),
  domain: z.string(),
  locale: z.string(),
  timezone: z.string(),
  cursor_key: z.instanceof(Buffer),
  site_created_at: timestamp,
  maintenance: z.number().nullable(),
  requests: z.number().nullable(),
});

/**
 * Finds the key of a secret with all that decides about the request, and counts the request, in one
 * prepared statement: one round trip (design, the hot path).
 *
 * @param secret what the Authorization header carried, or null
 * @returns null when no key fits: the answer says the same for a missing, a malformed and a wrong one
 * @throws ServiceError API_KEY_REVOKED or API_KEY_EXPIRED
 */
export async function authenticate(
  db: Database,
  secret: string | null,
  rateClass: RateClass,
  now: Date,
): Promise<Authenticated | null> {
  if (secret === null || !isWellFormedSecret(secret)) return null;
  const found = await db.maybeOne(sql.type(row)`
    with key as (
      select k.id as key_id, k.name as key_name, k.kind, k.scopes, k.held_by_agent, k.expires_at, k.revoked_at,
        k.last_used_at, s.valid_until, k.member_id, case when m.removed_at is null then m.role end as role,
        o.id as organisation_id, o.agent_access, o.plan, t.id as site_id, t.name as site_name, t.domain, t.locale,
        t.timezone, t.cursor_key, t.created_at as site_created_at,
        (select max(p.retry_after) from maintenance p where p.site_id is null or p.site_id = t.id) as maintenance,
        k.revoked_at is null
          and (k.expires_at is null or k.expires_at > ${at(now)})
          and (s.valid_until is null or s.valid_until > ${at(now)}) as usable
      from api_key_secrets s
      join api_keys k on k.id = s.key_id
      join members m on m.id = k.member_id
      join sites t on t.id = k.site_id
      join organisations o on o.id = t.organisation_id
      where s.hash = ${sql.binary(hashSecret(secret))}
    ), hit as (
      ${countRequest(sql.fragment`select key_id::text as subject, ${rateClass}::text as class from key where usable`, now)}
    ), used as (
      update api_keys k set last_used_at = ${at(now)} from key
      where k.id = key.key_id and usable
        and (key.last_used_at is null or key.last_used_at < ${at(new Date(now.getTime() - 60_000))})
    )
    select key.*, hit.requests from key left join hit on true
  `);
  if (found === null) return null;
  return authenticated(found, rateClass, now);
}

function authenticated(found: z.infer<typeof row>, rateClass: RateClass, now: Date): Authenticated {
  const past = (time: Date | null): boolean => time !== null && time <= now;
  if (found.revoked_at !== null || past(found.valid_until)) {
    throw new ServiceError(
      'API_KEY_REVOKED',
      'This key, or this secret of it, has been revoked. Use a current one.',
    );
  }
  if (past(found.expires_at)) {
    throw new ServiceError('API_KEY_EXPIRED', 'This key has expired. Create a new one.');
  }
  return {
    caller: {
      keyId: found.key_id,
      keyName: found.key_name,
      kind: found.kind,
      scopes: found.scopes as Scope[],
      heldByAgent: found.held_by_agent,
      memberId: found.member_id,
      role: found.role,
      agentAccess: found.agent_access,
      plan: found.plan,
    },
    site: {
      id: found.site_id,
      organisationId: found.organisation_id,
      name: found.site_name,
      domain: found.domain,
      locale: found.locale,
      timezone: found.timezone,
      cursorKey: found.cursor_key,
      createdAt: found.site_created_at,
    },
    rateLimit: rateLimitState(rateClass, found.requests ?? 0, now),
    maintenance: found.maintenance,
  };
}
