import { randomBytes, randomUUID } from 'node:crypto';
import { hasTheKey } from '../../domain/kernel/encryption-canary.ts';
import { createSecretBox } from '../../domain/kernel/secret-box.ts';
import type { SecretBox } from '../../domain/kernel/secret-box.ts';
import { buildTenant } from '../support/builders.ts';
import { createTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import { runAdmin } from './administrator.ts';
import type { Run } from './administrator.ts';

export const ENDPOINTS = 1_000;

interface Stored {
  readonly id: string;
  readonly secret: Buffer;
  readonly version: number;
}

/** A database whose endpoints have secrets that are sealed with the old of two keys. */
export interface SealedEndpoints {
  readonly database: TestDatabase;
  readonly ids: readonly string[];
  readonly oldKey: Buffer;
  readonly newKey: Buffer;
  /** With the old key, with the new one, and with both of them. */
  readonly old: SecretBox;
  readonly rotated: SecretBox;
  readonly both: SecretBox;
  /** Inserts endpoints. */
  insert(ids: readonly string[], box: SecretBox): Promise<unknown>;
  /** The environment of the command. */
  env(...keys: readonly Buffer[]): Record<string, string>;
  reseal(...keys: readonly Buffer[]): Promise<Run>;
  stored(): Promise<Stored[]>;
  /** What each secret is, by the new key alone. */
  opened(): Promise<string[]>;
  startsWith(box: SecretBox): Promise<boolean>;
}

export async function buildSealedEndpoints(): Promise<SealedEndpoints> {
  const database = await createTestDatabase();
  const { siteId } = await buildTenant(database.db);
  const [oldKey, newKey] = [randomBytes(32), randomBytes(32)];
  const [old, rotated] = [createSecretBox(oldKey), createSecretBox(newKey)];
  const insert = (added: readonly string[], box: SecretBox): Promise<unknown> =>
    database.db.pool.query(
      `insert into webhook_endpoints (id, site_id, url, events, secret, created_at, updated_at)
       select id, $1, 'https://a.example/', '{article.published}', secret, now(), now()
       from unnest($2::uuid[], $3::bytea[]) as a (id, secret)`,
      [siteId, added, added.map((id) => box.seal(`whsec_${id}`, id))],
    );
  const env = (...keys: readonly Buffer[]): Record<string, string> => ({
    DATABASE_URL: database.url,
    ENCRYPTION_KEY: keys.map((key) => key.toString('base64')).join(','),
  });
  const stored = async (): Promise<Stored[]> =>
    (await database.db.pool.query('select id, secret, version from webhook_endpoints order by id')).rows;
  const startsWith = (box: SecretBox): Promise<boolean> => hasTheKey(database.db, box, new Date());
  expect(await startsWith(old)).toBe(true);
  const ids = Array.from({ length: ENDPOINTS }, () => randomUUID()).toSorted();
  await insert(ids, old);
  return {
    database,
    ids,
    oldKey,
    newKey,
    old,
    rotated,
    both: createSecretBox(newKey, oldKey),
    insert,
    env,
    reseal: (...keys) => runAdmin(['reseal'], env(...keys)),
    stored,
    opened: async () => (await stored()).map(({ id, secret }) => rotated.open(secret, id)),
    startsWith,
  };
}
