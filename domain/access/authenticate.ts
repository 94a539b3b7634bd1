import { LRUCache } from 'lru-cache';
import { createBatcher } from '../../db/batcher.ts';
import type { Database } from '../../db/database.ts';
import { array, at, statement } from '../../db/sql.ts';
import { ServiceError } from '../errors.ts';
import type { Plan } from '../plans.ts';
import { createKeyFinder } from './find-keys.ts';
import type { Found, KeyRow } from './find-keys.ts';
import type { Role } from './permissions.ts';
import { rateLimitState } from './rate-limits.ts';
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

/** Who calls, and where. */
export interface Identity {
  readonly caller: Caller;
  readonly site: Site;
}

export interface Authenticated extends Identity {
  readonly rateLimit: RateLimitState;
  /** Seconds for `Retry-After` while writes are paused, else null. */
  readonly maintenance: number | null;
  /** Resolves once the use of the key has been noted, where it is to be. It never rejects: the next use is noted instead. */
  readonly noted: Promise<void>;
}

/** A key's last use is known to the minute (decisions 2). */
const USE_NOTED_EVERY_MS = 60_000;
const nothingToNote = Promise.resolve();

export interface Authentication {
  /**
   * Tells who calls with a secret, and counts the call.
   *
   * @param hash of the secret
   * @returns null where no key fits: the answer says the same for a missing, a malformed and a wrong one
   * @throws ServiceError API_KEY_REVOKED or API_KEY_EXPIRED
   */
  identify(hash: Buffer, rateClass: RateClass, now: Date): Promise<Authenticated | null>;
  /**
   * Who called with a secret the last time, for what may turn out to have been done for nothing: it is still so
   * where `identify` gives the same objects. Null also for a key whose window is used up.
   */
  recall(hash: Buffer, now: Date): Identity | null;
}

/**
 * Finds the key of a secret with all that decides about the request, and counts the request, in one prepared
 * statement: one round trip (design, the hot path). Requests that arrive together share the statement; the
 * count is exact all the same, since the database makes it.
 */
export function createAuthentication(db: Database): Authentication {
  const keys = createKeyFinder(db, keyOf);
  const find = createBatcher(keys.find);
  const noteUse = createBatcher((uses: readonly Use[]) => noteUses(db, uses));
  /** Keys whose window is used up, and its end in Unix seconds. */
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
      return key === null || now.getTime() / 1000 < (usedUp.get(key) ?? 0) ? null : key;
    },
  };
}

interface Use {
  readonly keyId: string;
  readonly now: Date;
}

/**
 * In a statement of its own, once a minute a key: part of the first, it would cost every request. Those that come
 * together share it, and a row that another statement has in hand is left to that one.
 */
async function noteUses(db: Database, uses: readonly Use[]): Promise<void[]> {
  const now = new Date(Math.max(...uses.map((use) => use.now.getTime())));
  const stale = new Date(now.getTime() - USE_NOTED_EVERY_MS);
  const ids = array(
    uses.map(({ keyId }) => keyId),
    'uuid',
  );
  // Selected, so that one plan does for any number (find-keys.ts).
  await db.exec(statement`
    update api_keys set last_used_at = ${at(now)} where id = any(array(
      select id from api_keys
      where id = any((select ${ids})::uuid[]) and (last_used_at is null or last_used_at < ${at(stale)})
      for no key update skip locked
    ))`);
  return uses.map(() => undefined);
}

/** A key, and one of its secrets. */
interface Key extends Identity {
  readonly lastUsedAt: Date | null;
  readonly expiresAt: Date | null;
  readonly revoked: boolean;
  /** The end of the grace of a secret that another has replaced. */
  readonly validUntil: Date | null;
}

/** Lists of scopes that many keys have in common are remembered once. */
const scopeLists = new LRUCache<string, readonly Scope[]>({ max: 500 });

function scopesOf(names: string): readonly Scope[] {
  let scopes = scopeLists.get(names);
  if (scopes === undefined) {
    scopes = names === '' ? [] : (names.split(' ') as Scope[]);
    scopeLists.set(names, scopes);
  }
  return scopes;
}

/** Small buffers are pieces of one of 64 KB, which a piece that is remembered would keep in memory. */
const alone = (bytes: Buffer): Buffer => Buffer.from(new Uint8Array(bytes).buffer);

const keyOf = (row: KeyRow): Key => ({
  caller: {
    keyId: row.key_id,
    keyName: row.key_name,
    kind: row.kind,
    scopes: scopesOf(row.scopes),
    heldByAgent: row.held_by_agent,
    memberId: row.member_id,
    role: row.role,
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
  },
  lastUsedAt: row.last_used_at,
  expiresAt: row.expires_at,
  revoked: row.revoked_at !== null || row.retired_at !== null,
  validUntil: row.valid_until,
});

function authenticated(
  { key, maintenance, requests }: Found<Key>,
  rateClass: RateClass,
  now: Date,
): Authenticated {
  const past = (time: Date | null): boolean => time !== null && time <= now;
  if (key.revoked || past(key.validUntil)) {
    throw new ServiceError(
      'API_KEY_REVOKED',
      'This key, or this secret of it, has been revoked. Use a current one.',
    );
  }
  if (past(key.expiresAt)) {
    throw new ServiceError('API_KEY_EXPIRED', 'This key has expired. Create a new one.');
  }
  const { caller, site } = key;
  return {
    caller,
    site,
    rateLimit: rateLimitState(rateClass, requests ?? 0, now),
    maintenance,
    noted: nothingToNote,
  };
}
