import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import { whyUnusable } from '../../db/failures.ts';
import { at, sql, statement } from '../../db/sql.ts';
import type { SecretBox } from './secret-box.ts';

const canaryRow = z.object({ sealed: z.instanceof(Buffer) });
const endpointRow = z.object({ id: z.string(), secret: z.instanceof(Buffer) });

/** The owner of the canary. */
export const CANARY_OWNER = 'encryption_canary';

/**
 * Checks at the start of a process that it can work with this database.
 *
 * @returns the line that names the setting that is wrong, or null
 */
export async function faultOf(db: Database, box: SecretBox, now: Date): Promise<string | null> {
  try {
    if (await hasTheKey(db, box, now)) return null;
    return 'ENCRYPTION_KEY: is not the key that the secrets in this database are sealed with; set the one that was used before';
  } catch (error) {
    const reason = whyUnusable(error);
    if (reason === null) throw error;
    return `DATABASE_URL: ${reason}`;
  }
}

/**
 * Checks that the box has a key that encrypted the secrets of this database. The first process stores an encrypted
 * value for later checks, after it has opened an existing secret, if there is one.
 */
export async function hasTheKey(db: Database, box: SecretBox, now: Date): Promise<boolean> {
  const opens = (sealed: Buffer, owner: string): boolean => {
    try {
      box.open(sealed, owner);
      return true;
    } catch {
      return false;
    }
  };
  const find = () => db.maybeOne(sql.type(canaryRow)`select sealed from encryption_canary`);
  let canary = await find();
  if (canary === null) {
    const secret = await db.maybeOne(
      sql.type(endpointRow)`select id, secret from webhook_endpoints order by id desc limit 1`,
    );
    if (secret !== null && !opens(secret.secret, secret.id)) return false;
    // If several processes with different keys start together, the key of the first one is the right one.
    await db.exec(statement`
      insert into encryption_canary (sealed, created_at) values (${sql.binary(box.seal('presswork', CANARY_OWNER))}, ${at(now)})
      on conflict do nothing`);
    canary = await find();
  }
  return canary !== null && opens(canary.sealed, CANARY_OWNER);
}
