import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import { array, at, sql, statement, timestamp } from '../../db/sql.ts';
import { ServiceError } from '../errors.ts';
import type { Plan } from '../plans.ts';
import { createBatcher } from '../../db/batcher.ts';
import { hashSecret, isWellFormedSecret } from './key-secret.ts';
import { roles } from './permissions.ts';
import type { Role } from './permissions.ts';
import { countRequests, rateLimitState } from './rate-limits.ts';
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
  readonly plan: Plan;
}

export interface Authenticated {
  readonly caller: Caller;
  readonly site: Site;
  readonly rateLimit: RateLimitState;
  /** Seconds for `Retry-After` while writes are paused, else null. */
  readonly maintenance: number | null;
}

/** A key's last use is known to the minute (decisions 2). */
const USE_NOTED_EVERY_MS = 60_000;

const row = z.object({
  hash: z.instanceof(Buffer),
  class: z.string(),
  key_id: z.string(),
  key_name: z.string(),
  kind: z.enum(['publishable', 'secret']),
  /** Their names, with a space between. */
  scopes: z.string(),
  held_by_agent: z.boolean(),
  expires_at: timestamp.nullable(),
  last_used_at: timestamp.nullable(),
  revoked_at: timestamp.nullable(),
  valid_until: timestamp.nullable(),
  retired_at: timestamp.nullable(),
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
  /** Number of the batch's last request with this secret, in the window; null for a key that cannot be used. */
  requests: z.number().nullable(),
});

/** Tells who calls with a secret, and counts the call. */
export type Authenticate = (
  secret: string | null,
  rateClass: RateClass,
  now: Date,
) => Promise<Authenticated | null>;

interface Asked {
  readonly hash: Buffer;
  readonly rateClass: RateClass;
  readonly now: Date;
}

/**
 * Finds the key of a secret with all that decides about the request, and counts the request, in one prepared
 * statement: one round trip (design, the hot path). Requests that arrive together share the statement; the
 * count is exact all the same, since the database makes it.
 *
 * The function it gives resolves to null when no key fits: the answer says the same for a missing, a malformed
 * and a wrong one. It throws ServiceError API_KEY_REVOKED or API_KEY_EXPIRED.
 */
export function createAuthenticate(db: Database): Authenticate {
  const find = createBatcher((asked: readonly Asked[]) => findKeys(db, asked));
  return async (secret, rateClass, now) => {
    if (secret === null || !isWellFormedSecret(secret)) return null;
    const found = await find({ hash: hashSecret(secret), rateClass, now });
    if (found === null) return null;
    const result = authenticated(found, rateClass, now);
    const { last_used_at: lastUsed } = found;
    if (lastUsed === null || lastUsed.getTime() < now.getTime() - USE_NOTED_EVERY_MS) {
      await noteUse(db, found.key_id, now);
    }
    return result;
  };
}

type Row = z.infer<typeof row>;

/** @returns for each that asked its row with the number of its own request, or null; in their order */
async function findKeys(db: Database, asked: readonly Asked[]): Promise<readonly (Row | null)[]> {
  const groups = Map.groupBy(asked, ({ hash, rateClass }) => `${hash.toString('latin1')}${rateClass}`);
  const firsts = [...groups.values()].map(([first]) => first as Asked);
  const counts = [...groups.values()].map((group) => group.length);
  const now = new Date(Math.max(...asked.map((one) => one.now.getTime())));
  const rows = await db.any(keyStatement(firsts, counts, now));
  const found = new Map(rows.map((one) => [`${one.hash.toString('latin1')}${one.class}`, one]));
  const answers = new Map<Asked, Row | null>();
  for (const [name, group] of groups) {
    const one = found.get(name);
    group.forEach((each, index) => {
      const requests =
        one === undefined || one.requests === null ? null : one.requests - (group.length - 1 - index);
      answers.set(each, one === undefined ? null : { ...one, requests });
    });
  }
  return asked.map((each) => answers.get(each) ?? null);
}

/**
 * The counters are touched in one order, so that two processes do not wait for each other in a circle.
 *
 * Each array is selected, which hides its length from the planner: a plan for the one key that is mostly asked for
 * would seem better than the plan for any number, so that PostgreSQL would plan anew for every request, at more than
 * the statement itself costs.
 */
const keyStatement = (asked: readonly Asked[], counts: readonly number[], now: Date) => sql.type(row)`
  with asked as (
    select * from unnest(
      (select ${sql.array(
        asked.map(({ hash }) => hash),
        'bytea',
      )}),
      (select ${array(
        asked.map(({ rateClass }) => rateClass),
        'text',
      )}),
      (select ${sql.array(counts, 'int4')})
    ) as a (hash, class, requests)
  ), key as (
    select a.hash, a.class, a.requests as asked, k.id as key_id, k.name as key_name, k.kind, array_to_string(k.scopes, ' ') as scopes, k.held_by_agent,
      k.expires_at, k.revoked_at, k.last_used_at, s.valid_until, s.retired_at, k.member_id,
      case when m.removed_at is null then m.role end as role,
      o.id as organisation_id, o.agent_access, o.plan, t.id as site_id, t.name as site_name, t.domain, t.locale,
      t.timezone, t.cursor_key, t.created_at as site_created_at,
      (select max(p.retry_after) from maintenance p where p.site_id is null or p.site_id = t.id) as maintenance,
      k.revoked_at is null and s.retired_at is null
        and (k.expires_at is null or k.expires_at > ${at(now)})
        and (s.valid_until is null or s.valid_until > ${at(now)}) as usable
    from asked a
    join api_key_secrets s on s.hash = a.hash
    join api_keys k on k.id = s.key_id
    join members m on m.id = k.member_id
    join sites t on t.id = k.site_id
    join organisations o on o.id = t.organisation_id
  ), hit as (
    ${countRequests(
      sql.fragment`
        select key_id::text as subject, class, sum(asked)::int as requests from key where usable
        group by 1, 2 order by 1, 2`,
      now,
    )}
  )
  select key.*,
    hit.requests - (sum(key.asked) over later)::int + key.asked as requests
  from key left join hit on key.usable and hit.subject = key.key_id::text and hit.class = key.class
  window later as (
    partition by key.key_id, key.class, key.usable order by key.hash rows between current row and unbounded following
  )
`;

/** In a statement of its own, once a minute a key: part of the first, it would cost every request. */
async function noteUse(db: Database, keyId: string, now: Date): Promise<void> {
  const stale = new Date(now.getTime() - USE_NOTED_EVERY_MS);
  await db.exec(statement`
    update api_keys set last_used_at = ${at(now)}
    where id = ${keyId} and (last_used_at is null or last_used_at < ${at(stale)})`);
}

function authenticated(found: z.infer<typeof row>, rateClass: RateClass, now: Date): Authenticated {
  const past = (time: Date | null): boolean => time !== null && time <= now;
  if (found.revoked_at !== null || found.retired_at !== null || past(found.valid_until)) {
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
      scopes: (found.scopes === '' ? [] : found.scopes.split(' ')) as Scope[],
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
