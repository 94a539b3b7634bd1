import { LRUCache } from 'lru-cache';
import { createBatcher } from '../../db/throughput/batcher.ts';
import type { Database } from '../../db/database.ts';
import { array, at, statement } from '../../db/sql.ts';
import { ServiceError } from '../kernel/errors.ts';
import type { Site } from '../kernel/site.ts';
import type { Plan } from '../kernel/plans.ts';
import { createKeyFinder } from './find-keys.ts';
import type { Found, KeyRow, Numbers } from './find-keys.ts';
import { roleAllows } from './permissions.ts';
import type { Role } from './permissions.ts';
import { ORGANISATION_LIMITS, rateLimitState, SITE_LIMITS } from './rate-limits.ts';
import type { RateClass, RateLimitState } from './rate-limits.ts';
import type { Scope } from './scopes.ts';

/** The caller: a key and the person who made it, as they are now. */
export interface Caller {
  readonly keyId: string;
  readonly keyName: string;
  readonly kind: 'publishable' | 'secret';
  readonly scopes: readonly Scope[];
  readonly heldByAgent: boolean;
  /** Whether it may only write what no reader sees (docs/spec/rulings.md, 23, Keys for drafts). */
  readonly draftsOnly: boolean;
  readonly memberId: string;
  /** null after the person was removed. */
  readonly role: Role | null;
  /** Whether it may change what readers see or will see (docs/spec/rulings.md, 23). */
  readonly mayPublish: boolean;
  readonly agentAccess: boolean;
  readonly plan: Plan;
}

/** The caller and the Site of its key. */
export interface Identity {
  readonly caller: Caller;
  readonly site: Site;
}

export interface Authenticated extends Identity {
  readonly rateLimit: RateLimitState;
  /** Seconds for `Retry-After` while writes are paused, else null. */
  readonly maintenance: number | null;
  /**
   * Resolves when the use of the key has been recorded, if that is due. Never rejects: the next use is recorded
   * instead.
   */
  readonly noted: Promise<void>;
}

/** The last use of a key is recorded to the minute (docs/spec/rulings.md, 2). */
const USE_NOTED_EVERY_MS = 60_000;
const nothingToNote = Promise.resolve();

export interface Authentication {
  /**
   * Identifies the caller by a secret, and counts the call.
   *
   * @param hash of the secret
   * @returns null if no key matches: the answer is the same for a missing, a malformed and a wrong secret
   * @throws ServiceError API_KEY_REVOKED or API_KEY_EXPIRED
   */
  identify(hash: Buffer, rateClass: RateClass, now: Date): Promise<Authenticated | null>;
  /**
   * Returns the cached identity for speculative work, whose result counts only if `identify` confirms it (`isConfirmed`).
   * Null for an unknown or rate-limited key, and for a secret that is revoked, replaced or expired: those requests are
   * refused, so nothing needs to be read for them.
   */
  recall(hash: Buffer, now: Date): Identity | null;
}

/**
 * Whether authentication confirmed a cached identity: nothing about the key, its person, Site or organisation has
 * changed since it was cached. Otherwise the identity is a new object.
 */
export const isConfirmed = (cached: Identity | null, identified: Authenticated): boolean =>
  identified.caller === cached?.caller;

/**
 * Finds the key of a secret, everything that decides about the request, and the request count in one prepared statement
 * and one round trip. Concurrent requests share the statement. The count is still exact, because
 * the database makes it.
 */
export function createAuthentication(db: Database): Authentication {
  const keys = createKeyFinder(db, keyOf);
  const find = createBatcher(keys.find);
  const noteUse = createBatcher((uses: readonly Use[]) => recordUses(db, uses));
  /** Rate-limited keys, with the end of their window in Unix seconds. */
  const usedUp = new WeakMap<Key, number>();
  return {
    async identify(hash, rateClass, now) {
      const found = await find({ hash, rateClass, now });
      if (found === null) return null;
      const result = authenticated(found, rateClass, now);
      if (result.rateLimit.exceeded) usedUp.set(found.key, result.rateLimit.reset);
      const { lastUsedAt, caller } = found.key;
      const stale = lastUsedAt === null || lastUsedAt.getTime() < now.getTime() - USE_NOTED_EVERY_MS;
      return stale ? { ...result, noted: noteUse({ keyId: caller.keyId, now }).catch(() => {}) } : result;
    },
    recall(hash, now) {
      const key = keys.recall(hash);
      if (key === null || refusalOf(key, now) !== null) return null;
      return now.getTime() / 1000 < (usedUp.get(key) ?? 0) ? null : key;
    },
  };
}

interface Use {
  readonly keyId: string;
  readonly now: Date;
}

/**
 * Runs at most once a minute for each key, as its own statement: in the first statement it would cost every request.
 * Concurrent uses share it, and rows that another statement has locked are skipped.
 */
async function recordUses(db: Database, uses: readonly Use[]): Promise<void[]> {
  const now = new Date(Math.max(...uses.map((use) => use.now.getTime())));
  const stale = new Date(now.getTime() - USE_NOTED_EVERY_MS);
  const ids = array(
    uses.map(({ keyId }) => keyId),
    'uuid',
  );
  // The array is selected so that one plan serves any length (find-keys.ts).
  await db.exec(statement`
    update api_keys set last_used_at = ${at(now)} where id = any(array(
      select id from api_keys
      where id = any((select ${ids})::uuid[]) and (last_used_at is null or last_used_at < ${at(stale)})
      for no key update skip locked
    ))`);
  return uses.map(() => undefined);
}

/** A key and one of its secrets. */
interface Key extends Identity {
  /** The factor of the limits of its Site and organisation. */
  readonly limits: number;
  readonly lastUsedAt: Date | null;
  readonly expiresAt: Date | null;
  readonly revoked: boolean;
  /** When the grace of a replaced secret ends. */
  readonly validUntil: Date | null;
}

/** Lists of scopes that keys have in common are stored once. */
const scopeLists = new LRUCache<string, readonly Scope[]>({ max: 500 });

function scopesOf(names: string): readonly Scope[] {
  let scopes = scopeLists.get(names);
  if (scopes === undefined) {
    scopes = names === '' ? [] : (names.split(' ') as Scope[]);
    scopeLists.set(names, scopes);
  }
  return scopes;
}

/** A small buffer is a slice of a 64 KB block, which would stay in memory for as long as the slice is cached. */
const alone = (bytes: Buffer): Buffer => Buffer.from(new Uint8Array(bytes).buffer);

const keyOf = (row: KeyRow): Key => ({
  caller: {
    keyId: row.key_id,
    keyName: row.key_name,
    kind: row.kind,
    scopes: scopesOf(row.scopes),
    heldByAgent: row.held_by_agent,
    draftsOnly: row.drafts_only,
    memberId: row.member_id,
    role: row.role,
    mayPublish: !row.drafts_only && row.role !== null && roleAllows(row.role, 'articles.publish'),
    agentAccess: row.agent_access,
    plan: row.plan,
  },
  site: {
    id: row.site_id,
    organisationId: row.organisation_id,
    name: row.site_name,
    domain: row.domain,
    locale: row.locale,
    timezone: row.timezone,
    cursorKey: alone(row.cursor_key),
    createdAt: row.site_created_at,
    eventsFull: row.events_full,
    subscribedEvents: row.subscribed_events,
    requiredReviews: row.required_reviews,
    aiDisclosure: row.ai_disclosure,
  },
  limits: row.limits,
  lastUsedAt: row.last_used_at,
  expiresAt: row.expires_at,
  revoked: row.revoked_at !== null || row.retired_at !== null,
  validUntil: row.valid_until,
});

/** Why a secret cannot be used now, or null if it can. */
function refusalOf({ revoked, validUntil, expiresAt }: Key, now: Date): ServiceError | null {
  const past = (time: Date | null): boolean => time !== null && time <= now;
  if (revoked || past(validUntil))
    return new ServiceError(
      'API_KEY_REVOKED',
      'This key, or this secret of it, has been revoked. Use a current one.',
    );
  if (past(expiresAt)) return new ServiceError('API_KEY_EXPIRED', 'This key has expired. Create a new one.');
  return null;
}

function authenticated(
  { key, maintenance, numbers }: Found<Key>,
  rateClass: RateClass,
  now: Date,
): Authenticated {
  const refusal = refusalOf(key, now);
  if (refusal !== null) throw refusal;
  const { caller, site } = key;
  return {
    caller,
    site,
    rateLimit: strictest(rateClass, numbers ?? { ofKey: 0, ofSite: 0, ofOrganisation: 0 }, key.limits, now),
    maintenance,
    noted: nothingToNote,
  };
}

/** The key's own limit, unless another one refuses the request that it lets through. */
function strictest(
  rateClass: RateClass,
  { ofKey, ofSite, ofOrganisation }: Numbers,
  times: number,
  now: Date,
): RateLimitState {
  const own = rateLimitState(rateClass, ofKey, now);
  if (own.exceeded) return own;
  const site = rateLimitState(rateClass, ofSite, now, { times: times * SITE_LIMITS, of: 'Site' });
  if (site.exceeded) return site;
  const all = { times: times * ORGANISATION_LIMITS, of: 'organisation' } as const;
  const organisation = rateLimitState(rateClass, ofOrganisation, now, all);
  return organisation.exceeded ? organisation : own;
}
