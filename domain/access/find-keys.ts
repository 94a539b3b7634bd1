import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import { serverStart } from '../../db/throughput/server-start.ts';
import { array, at, sql, timestamp } from '../../db/sql.ts';
import { aiDisclosures } from '../kernel/origins.ts';
import { roles } from './permissions.ts';
import { countRequests, rateLimits } from './rate-limits.ts';
import type { RateClass } from './rate-limits.ts';

/** A request, with the hash of the secret that identifies its key. */
export interface Asked {
  readonly hash: Buffer;
  readonly rateClass: RateClass;
  readonly now: Date;
}

/** The database's answer about a request and its key. */
export interface Found<Key> {
  readonly key: Key;
  /** Seconds for `Retry-After` while writes are paused, else null. */
  readonly maintenance: number | null;
  /** The numbers of the request within the window; null for a key that cannot be used. */
  readonly numbers: Numbers | null;
}

/**
 * The numbers of a request among those of its key, and among those of its Site and of its organisation that the limit of
 * their key let through: the many refused ones of one key leave the others' share alone.
 */
export interface Numbers {
  readonly ofKey: number;
  readonly ofSite: number;
  readonly ofOrganisation: number;
}

/** A secret with its key, person, Site and organisation. */
const keyRow = z.object({
  key_id: z.string(),
  key_name: z.string(),
  kind: z.enum(['publishable', 'secret']),
  /** The names of the scopes, separated by spaces. */
  scopes: z.string(),
  held_by_agent: z.boolean(),
  drafts_only: z.boolean(),
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
  limits: z.number(),
  site_id: z.string(),
  site_name: z.string(),
  domain: z.string(),
  locale: z.string(),
  timezone: z.string(),
  cursor_key: z.instanceof(Buffer),
  site_created_at: timestamp,
  events_full: z.boolean(),
  subscribed_events: z.array(z.string()),
  required_reviews: z.number(),
  ai_disclosure: z.enum(aiDisclosures),
});
export type KeyRow = z.infer<typeof keyRow>;

const row = z.intersection(
  z.object({
    hash: z.instanceof(Buffer),
    class: z.string(),
    key: z.string(),
    version: z.string(),
    maintenance: z.number().nullable(),
    site: z.string(),
    organisation: z.string(),
    /** How many requests the windows have with this batch. */
    requests: z.number().nullable(),
    site_requests: z.number().nullable(),
    organisation_requests: z.number().nullable(),
  }),
  // These columns are null when the version is the known one.
  z.union([keyRow, z.object({ key_id: z.null() })]),
);
type Row = z.infer<typeof row>;

interface Known<Key> {
  /**
   * Identifies the server and the versions of all rows of the key: PostgreSQL changes it with every update of one of
   * them.
   */
  readonly version: string;
  readonly key: Key;
}

/** Keys that a process caches, about 1.2 KB each. */
const MAX_KEYS = 10_000;

interface KeyFinder<Key> {
  /** Returns the result of each request, or null, in their order. */
  readonly find: (asked: readonly Asked[]) => Promise<readonly (Found<Key> | null)[]>;
  /** Returns the cached result of the last look-up. */
  readonly recall: (hash: Buffer) => Key | null;
}

/**
 * Finds keys and counts their requests in one statement. The result of `make` is cached with the versions of the key's
 * rows: the database checks them each time, and sends only rows that have changed (docs/decisions/0025).
 *
 * @param make turns a key's rows into the value to cache
 */
export function createKeyFinder<Key>(db: Database, make: (row: KeyRow) => Key): KeyFinder<Key> {
  const cache = new LRUCache<string, Known<Key>>({ max: MAX_KEYS });

  const find = async (asked: readonly Asked[]) => {
    const groups = groupsOf(asked, cache);
    const latest = new Date(Math.max(...asked.map(({ now }) => now.getTime())));
    const rows = await db.any(keyStatement([...groups.values()], latest));
    for (const found of rows) {
      const name = found.hash.toString('latin1');
      const group = groups.get(name + found.class) as Group<Key>;
      if (found.key_id !== null) {
        group.known = { version: found.version, key: make(found) };
        cache.set(name, group.known);
      }
      group.found = found;
    }
    return answersOf(asked, groups);
  };
  return { find, recall: (hash) => cache.get(hash.toString('latin1'))?.key ?? null };
}

/** Requests of one class with one secret. */
interface Group<Key> {
  readonly hash: Buffer;
  readonly rateClass: RateClass;
  /** How many. */
  size: number;
  /** The cached value when the statement was sent, which may be replaced before the answer arrives; then the new one. */
  known: Known<Key> | undefined;
  found?: Row;
}

const groupNameOf = ({ hash, rateClass }: Asked): string => hash.toString('latin1') + rateClass;

function groupsOf<Key>(
  asked: readonly Asked[],
  cache: LRUCache<string, Known<Key>>,
): Map<string, Group<Key>> {
  const groups = new Map<string, Group<Key>>();
  for (const request of asked) {
    const name = groupNameOf(request);
    const group = groups.get(name);
    if (group) group.size += 1;
    else {
      const { hash, rateClass } = request;
      groups.set(name, { hash, rateClass, size: 1, known: cache.get(hash.toString('latin1')) });
    }
  }
  return groups;
}

/** Numbers the requests of a batch: the last one of a window has the window's count as its number. */
function answersOf<Key>(
  asked: readonly Asked[],
  groups: ReadonlyMap<string, Group<Key>>,
): (Found<Key> | null)[] {
  const later = new Map<string, number>();
  const numberIn = (window: string, count: number): number => {
    const after = later.get(window) ?? 0;
    later.set(window, after + 1);
    return count - after;
  };
  return asked
    .toReversed()
    .map((request) => {
      const { found, known, rateClass } = groups.get(groupNameOf(request)) as Group<Key>;
      if (found === undefined || known === undefined) return null;
      const { maintenance, requests, key, site, organisation } = found;
      if (requests === null) return { key: known.key, maintenance, numbers: null };
      const ofKey = numberIn(`${key} ${rateClass}`, requests);
      const isLetThrough = ofKey <= rateLimits[rateClass];
      const numbers = {
        ofKey,
        ofSite: isLetThrough ? numberIn(`${site} ${rateClass}`, found.site_requests ?? 0) : 0,
        ofOrganisation: isLetThrough
          ? numberIn(`${organisation} ${rateClass}`, found.organisation_requests ?? 0)
          : 0,
      };
      return { key: known.key, maintenance, numbers };
    })
    .toReversed();
}

/**
 * The counters are updated in a fixed order, so that two processes never deadlock.
 *
 * Each array is selected to hide its length from the planner. Otherwise a plan for a single key would look cheaper than
 * the generic plan, and PostgreSQL would plan every request again, which costs more than the statement itself.
 */
const keyStatement = (groups: readonly Group<unknown>[], now: Date) => sql.type(row)`
  with asked as (
    select * from unnest(
      (select ${sql.array(
        groups.map(({ hash }) => hash),
        'bytea',
      )}),
      (select ${array(
        groups.map(({ rateClass }) => rateClass),
        'text',
      )}),
      (select ${sql.array(
        groups.map(({ rateClass }) => rateLimits[rateClass]),
        'int4',
      )}),
      (select ${sql.array(
        groups.map(({ size }) => size),
        'int4',
      )}),
      (select ${array(
        groups.map(({ known }) => known?.version ?? null),
        'text',
      )})
    ) as a (hash, class, allowed, requests, known)
  ), key as (
    select a.hash, a.class, a.allowed, a.requests as asked, a.known, concat_ws(' ', s.xmin, k.xmin, m.xmin, t.xmin, o.xmin, ${serverStart}) as version,
      k.id as key_id, k.name as key_name, k.kind, k.scopes, k.held_by_agent, k.drafts_only,
      k.expires_at, coalesce(k.revoked_at, t.deleting_since) as revoked_at, k.last_used_at, s.valid_until, s.retired_at,
      k.member_id,
      case when m.removed_at is null then m.role end as role,
      o.id as organisation_id, o.agent_access, o.plan, o.limits, t.id as site_id, t.name as site_name, t.domain, t.locale,
      t.timezone, t.cursor_key, t.created_at as site_created_at, t.events_full, t.subscribed_events,
      t.required_reviews, t.ai_disclosure,
      (select max(p.retry_after) from maintenance p where p.site_id is null or p.site_id = t.id) as maintenance,
      k.revoked_at is null and t.deleting_since is null and s.retired_at is null
        and (k.expires_at is null or k.expires_at > ${at(now)})
        and (s.valid_until is null or s.valid_until > ${at(now)}) as usable
    from asked a
    join api_key_secrets s on s.hash = a.hash
    join api_keys k on k.id = s.key_id
    join members m on m.id = k.member_id
    join sites t on t.id = k.site_id
    join organisations o on o.id = t.organisation_id
  ), own as (
    select key_id::text as subject, class, site_id, organisation_id, allowed, sum(asked)::int as requests
    from key where usable group by 1, 2, 3, 4, 5
  ), hit as (
    ${countRequests(sql.fragment`select subject, class, requests from own order by 1, 2`, now)}
  ), let_through as (
    select own.class, own.site_id, own.organisation_id,
      least(hit.requests, own.allowed) - least(hit.requests - own.requests, own.allowed) as requests
    from own join hit using (subject, class)
  ), above as (
    ${countRequests(
      sql.fragment`
        select subject, class, sum(requests)::int as requests
        from let_through cross join lateral (
          values ('site:' || site_id), ('organisation:' || organisation_id)
        ) whose (subject)
        where requests > 0 group by 1, 2 order by 1, 2`,
      now,
    )}
  )
  select key.hash, key.class, key.key_id::text as key, key.site_id::text as site,
    key.organisation_id::text as organisation, key.version, key.maintenance,
    hit.requests, of_site.requests as site_requests, of_organisation.requests as organisation_requests,
    changed.*
  from key
  left join hit on key.usable and hit.subject = key.key_id::text and hit.class = key.class
  left join above of_site
    on key.usable and of_site.subject = 'site:' || key.site_id and of_site.class = key.class
  left join above of_organisation on key.usable
    and of_organisation.subject = 'organisation:' || key.organisation_id and of_organisation.class = key.class
  left join lateral (
    select key.key_id, key.key_name, key.kind, array_to_string(key.scopes, ' ') as scopes, key.held_by_agent,
      key.drafts_only,
      key.expires_at, key.last_used_at, key.revoked_at, key.valid_until, key.retired_at, key.member_id, key.role,
      key.organisation_id, key.agent_access, key.plan, key.limits, key.site_id, key.site_name, key.domain, key.locale,
      key.timezone, key.cursor_key, key.site_created_at, key.events_full, key.subscribed_events,
      key.required_reviews, key.ai_disclosure
  ) changed on key.version is distinct from key.known
`;
