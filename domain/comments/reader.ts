import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import type { Transaction } from '../../db/transaction.ts';
import { sql, statement } from '../../db/sql.ts';
import type { FragmentSqlToken } from '../../db/sql.ts';
import type { Site } from '../kernel/site.ts';
import type { SecretBox } from '../kernel/secret-box.ts';

/**
 * The canonical form of an address: compressed IPv6 in lower case, and IPv4 for an IPv4-mapped address
 * (docs/spec/rulings.md, 8).
 *
 * @returns null if the text is not an address
 */
export function canonicalAddress(text: string): string | null {
  const family = isIP(text);
  if (family === 0 || text.includes('%')) return null;
  if (family === 4) return text;
  const address = new URL(`http://[${text}]`).hostname.slice(1, -1);
  const [, high, low] = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(address) ?? [];
  if (high === undefined || low === undefined) return address;
  return [high, low]
    .flatMap((half) => [Number.parseInt(half, 16) >> 8, Number.parseInt(half, 16) & 255])
    .join('.');
}

/**
 * Represents a reader's address in statements, so that no database log contains the address. It is not stored either:
 * {@link readerHash} is.
 */
export interface Reader {
  /** Keyed by a secret outside the database, so that addresses cannot be guessed from a dump. */
  readonly digest: Buffer;
}

/** @param address canonical */
export const readerOf = (box: SecretBox, site: Site, address: string): Reader => ({
  digest: box.fingerprint(`${site.id}\0${address}`, 'reader address'),
});

/** The salted hash of a reader, as a part of a statement: the salt never leaves the database. */
export const readerHash = (salt: FragmentSqlToken, digest: Buffer): FragmentSqlToken =>
  sql.fragment`sha256(${salt} || ${sql.binary(digest)}::bytea)`;

const DAY_MS = 24 * 60 * 60_000;

/** The day of a salt, in UTC. */
export const saltDay = (time: Date): string => time.toISOString().slice(0, 10);

/** Creates the salt of a day if it does not exist. */
export async function makeSalt(tx: Transaction, now: Date): Promise<void> {
  await tx.exec(statement`
    insert into reader_salts (day, salt) values (${saltDay(now)}::date, ${sql.binary(randomBytes(32))})
    on conflict do nothing`);
}

/** Destroys the salts of days that no limit covers any more. @returns how many */
export const destroyOldSalts = (tx: Transaction, now: Date): Promise<number> =>
  tx.exec(statement`
    delete from reader_salts where day < ${saltDay(new Date(now.getTime() - DAY_MS))}::date`);
