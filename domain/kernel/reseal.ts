import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import { sql, statement } from '../../db/sql.ts';
import type { FragmentSqlToken } from '../../db/sql.ts';
import { CANARY_OWNER } from './encryption-canary.ts';
import type { SecretBox } from './secret-box.ts';

/** How many secrets were sealed with the newest key now, had been before, and could not be opened with any key. */
interface Resealed {
  readonly resealed: number;
  readonly already: number;
  readonly unreadable: number;
}

/** A table with the column `secret`, sealed for the id of its owner. */
interface SealedTable {
  readonly table: FragmentSqlToken;
  readonly id: FragmentSqlToken;
}

const sealedTables: readonly SealedTable[] = [
  { table: sql.fragment`webhook_endpoints`, id: sql.fragment`id` },
  { table: sql.fragment`cms_connections`, id: sql.fragment`id` },
  { table: sql.fragment`channels`, id: sql.fragment`id` },
  { table: sql.fragment`second_factors`, id: sql.fragment`member_id` },
];

const BATCH = 100;
const FIRST = '00000000-0000-0000-0000-000000000000';

const secretRow = z.object({ id: z.string(), secret: z.instanceof(Buffer) });
const canaryRow = z.object({ sealed: z.instanceof(Buffer) });

/**
 * Seals everything with the newest key, beside running processes. Each secret is changed by a statement of its own, and
 * only if it is still the one that was read, so an interrupted run has done a part, and the next one does the rest.
 *
 * The canary is last: as long as one secret needs an older key, a process without that key does not start.
 *
 * @param report called after each batch with the counts so far
 */
export async function resealSecrets(
  db: Database,
  box: SecretBox,
  report: (counts: Resealed) => void,
): Promise<Resealed> {
  const counts = { resealed: 0, already: 0, unreadable: 0 };
  for (const sealed of sealedTables) {
    for (let after = FIRST; ;) {
      const rows = await db.any(sql.type(secretRow)`
        select ${sealed.id} as id, secret from ${sealed.table} where ${sealed.id} > ${after} and secret is not null
        order by ${sealed.id} limit ${BATCH}`);
      for (const row of rows) counts[await resealOne(db, box, sealed, row)] += 1;
      const last = rows.at(-1);
      if (last === undefined) break;
      after = last.id;
      report(counts);
    }
  }
  if (counts.unreadable === 0) counts[await resealCanary(db, box)] += 1;
  return counts;
}

/** Tries again if the secret was rotated meanwhile; once it is gone, nothing is left to do. */
async function resealOne(
  db: Database,
  box: SecretBox,
  sealed: SealedTable,
  { id, secret }: z.infer<typeof secretRow>,
): Promise<keyof Resealed> {
  for (let found: Buffer | null = secret; found !== null;) {
    if (box.isNewest(found)) return 'already';
    const opened = openOrNull(box, found, id);
    if (opened === null) return 'unreadable';
    const written = await db.exec(statement`
      update ${sealed.table} set secret = ${sql.binary(box.seal(opened, id))}
      where ${sealed.id} = ${id} and secret = ${sql.binary(found)}`);
    if (written === 1) return 'resealed';
    const now = await db.maybeOne(sql.type(secretRow)`
      select ${sealed.id} as id, secret from ${sealed.table} where ${sealed.id} = ${id}`);
    found = now?.secret ?? null;
  }
  return 'already';
}

async function resealCanary(db: Database, box: SecretBox): Promise<keyof Resealed> {
  const found = await db.maybeOne(sql.type(canaryRow)`select sealed from encryption_canary`);
  if (found === null) return 'already';
  if (box.isNewest(found.sealed)) return 'already';
  const opened = openOrNull(box, found.sealed, CANARY_OWNER);
  if (opened === null) return 'unreadable';
  await db.exec(statement`
    update encryption_canary set sealed = ${sql.binary(box.seal(opened, CANARY_OWNER))}
    where sealed = ${sql.binary(found.sealed)}`);
  return 'resealed';
}

function openOrNull(box: SecretBox, sealed: Buffer, owner: string): string | null {
  try {
    return box.open(sealed, owner);
  } catch {
    return null;
  }
}
