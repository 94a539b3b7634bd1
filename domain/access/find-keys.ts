import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import { serverStart } from '../../db/throughput/server-start.ts';
import { array, at, sql, timestamp } from '../../db/sql.ts';
import { roles } from './permissions.ts';
import { countRequests } from './rate-limits.ts';
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
  /** The number of the request within the window; null for a key that cannot be used. */
  readonly requests: number | null;
}

/** A secret with its key, person, Site and organisation. */
const keyRow = z.object({
  key_id: z.string(),
  key_name: z.string(),
  kind: z.enum(['publishable', 'secret']),
  /** The names of the scopes, separated by spaces. */
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
  events_full: z.boolean(),
});
export type KeyRow = z.infer<typeof keyRow>;

const row = z.intersection(
  z.object({
    hash: z.instanceof(Buffer),
    class: z.string(),
    version: z.string(),
    maintenance: z.number().nullable(),
    /** The number of the batch's last request with this secret. */
    requests: z.number().nullable(),
  }),
  // These columns are null when the version is the known one.
  z.union([keyRow, z.object({ key_id: z.null() })]),
);

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
  /** Returns what was found for each request, or null, in their order. */
  readonly find: (asked: readonly Asked[]) => Promise<readonly (Found<Key> | null)[]>;
  /** Returns the cached result of the last look-up. */
  readonly recall: (hash: Buffer) => Key | null;
}

/**
 * Finds keys and counts their requests in one statement. The result of `make` is cached with the versions of the key's
 * rows: the database checks them each time, and sends only rows that have changed (docs/decisions/0034).
 *
 * @param make turns a key's rows into the value to cache
 */
export function createKeyFinder<Key>(db: Database, make: (row: KeyRow) => Key): KeyFinder<Key> {
  const cache = new LRUCache<string, Known<Key>>({ max: MAX_KEYS });

  const find = async (asked: readonly Asked[]) => {
    const groups = groupsOf(asked, cache);
    const latest = new Date(Math.max(...asked.map(({ now }) => now.getTime())));
    const rows = await db.any(keyStatement([...groups.values()], latest));
    const answers: (Found<Key> | null)[] = asked.map(() => null);
    for (const found of rows) {
      const { hash, class: rateClass, version, maintenance, requests } = found;
      const name = hash.toString('latin1');
      const group = groups.get(name + rateClass) as Group<Key>;
      let known = group.known;
      if (found.key_id !== null) {
        known = { version, key: make(found) };
        cache.set(name, known);
      }
      const { key } = known as Known<Key>;
      const { places } = group;
      for (const [index, place] of places.entries()) {
        const number = requests === null ? null : requests - (places.length - 1 - index);
        answers[place] = { key, maintenance, requests: number };
      }
    }
    return answers;
  };
  return { find, recall: (hash) => cache.get(hash.toString('latin1'))?.key ?? null };
}

/** Requests of one class with one secret. */
interface Group<Key> {
  readonly hash: Buffer;
  readonly rateClass: RateClass;
  /** The indexes of these requests in the batch. */
  readonly places: number[];
  /** The cached value when the statement was sent. It may be replaced before the answer arrives. */
  readonly known: Known<Key> | undefined;
}

function groupsOf<Key>(
  asked: readonly Asked[],
  cache: LRUCache<string, Known<Key>>,
): Map<string, Group<Key>> {
  const groups = new Map<string, Group<Key>>();
  for (const [place, { hash, rateClass }] of asked.entries()) {
    const name = hash.toString('latin1');
    const group = groups.get(name + rateClass);
    if (group) group.places.push(place);
    else groups.set(name + rateClass, { hash, rateClass, places: [place], known: cache.get(name) });
  }
  return groups;
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
        groups.map(({ places }) => places.length),
        'int4',
      )}),
      (select ${array(
        groups.map(({ known }) => known?.version ?? null),
        'text',
      )})
    ) as a (hash, class, requests, known)
  ), key as (
    select a.hash, a.class, a.requests as asked, a.known, concat_ws(' ', s.xmin, k.xmin, m.xmin, t.xmin, o.xmin, ${serverStart}) as version,
      k.id as key_id, k.name as key_name, k.kind, k.scopes, k.held_by_agent,
      k.expires_at, coalesce(k.revoked_at, t.deleting_since) as revoked_at, k.last_used_at, s.valid_until, s.retired_at,
      k.member_id,
      case when m.removed_at is null then m.role end as role,
      o.id as organisation_id, o.agent_access, o.plan, t.id as site_id, t.name as site_name, t.domain, t.locale,
      t.timezone, t.cursor_key, t.created_at as site_created_at, t.events_full,
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
  ), hit as (
    ${countRequests(
      sql.fragment`
        select key_id::text as subject, class, sum(asked)::int as requests from key where usable
        group by 1, 2 order by 1, 2`,
      now,
    )}
  )
  select key.hash, key.class, key.version, key.maintenance,
    hit.requests - (sum(key.asked) over later)::int + key.asked as requests,
    changed.*
  from key
  left join hit on key.usable and hit.subject = key.key_id::text and hit.class = key.class
  left join lateral (
    select key.key_id, key.key_name, key.kind, array_to_string(key.scopes, ' ') as scopes, key.held_by_agent,
      key.expires_at, key.last_used_at, key.revoked_at, key.valid_until, key.retired_at, key.member_id, key.role,
      key.organisation_id, key.agent_access, key.plan, key.site_id, key.site_name, key.domain, key.locale,
      key.timezone, key.cursor_key, key.site_created_at, key.events_full
  ) changed on key.version is distinct from key.known
  window later as (
    partition by key.key_id, key.class, key.usable order by key.hash rows between current row and unbounded following
  )
`;
