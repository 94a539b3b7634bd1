import { randomBytes } from 'node:crypto';
import { hasTheKey } from '../../domain/kernel/encryption-canary.ts';
import { createSecretBox } from '../../domain/kernel/secret-box.ts';
import { createTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import { environment } from '../support/environment.ts';
import { endWorkers, spawnApi, spawnWorker } from './processes.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  expect(await hasTheKey(database.db, createSecretBox(randomBytes(32)), new Date())).toBe(true);
});
afterAll(async () => {
  endWorkers();
  await database.drop();
});

const settings = () => ({
  databaseUrl: database.url,
  temporalAddress: environment('TEMPORAL_ADDRESS'),
  namespace: 'default',
  env: { ENCRYPTION_KEY: randomBytes(32).toString('base64') },
});

test('a worker with another encryption key than the database’s stops at the start, with one line naming the variable', async () => {
  const worker = spawnWorker(settings());
  await expect(worker.working).rejects.toThrow(/ENCRYPTION_KEY: is not the key/);
  expect(worker.said().trim().split('\n')).toHaveLength(1);
}, 60_000);

test('so does an API', async () => {
  const api = await spawnApi(settings());
  await expect(api.working).rejects.toThrow(/ENCRYPTION_KEY: is not the key/);
  expect(api.said().trim().split('\n')).toHaveLength(1);
}, 60_000);
