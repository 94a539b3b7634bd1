import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { createDatabase } from '../../db/database.ts';
import { isAway } from '../../db/failures.ts';
import { faultOf, hasTheKey } from '../../domain/kernel/encryption-canary.ts';
import { createSecretBox } from '../../domain/kernel/secret-box.ts';
import { proveDatabase } from '../../runtime/prove-database.ts';
import { buildTenant } from '../support/builders.ts';
import { createTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';

let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const newBox = () => createSecretBox(randomBytes(32));
const check = (box: ReturnType<typeof newBox>) => hasTheKey(database.db, box, new Date());

test('of processes that start concurrently with different keys, one has the right key, and keeps it', async () => {
  const boxes = Array.from({ length: 8 }, newBox);
  const first = await Promise.all(boxes.map(check));
  expect(first.filter(Boolean)).toHaveLength(1);
  expect(await Promise.all(boxes.map(check))).toEqual(first);
});

test('if there are encrypted secrets, the first process must be able to open them', async () => {
  const { siteId } = await buildTenant(database.db);
  const [right, wrong] = [newBox(), newBox()];
  const id = '0192f0a0-0000-7000-8000-000000000001';
  await database.db.pool.query(
    `insert into webhook_endpoints (id, site_id, url, events, secret, created_at, updated_at)
     values ($1, $2, 'https://a.example/', '{article.published}', $3, now(), now())`,
    [id, siteId, right.seal('whsec_a', id)],
  );
  expect(await check(wrong)).toBe(false);
  expect(await check(right)).toBe(true);
  expect(await check(wrong)).toBe(false);
});

const never = (): boolean => false;

test('a wrong key stops the start with one line that names the variable', async () => {
  await check(newBox());
  await expect(proveDatabase(() => faultOf(database.db, newBox(), new Date()), never)).rejects.toMatchObject({
    name: 'SettingError',
    message: expect.stringMatching(/^ENCRYPTION_KEY: [^\n]+$/),
  });
});

test('a start without the database continues, and fails once the key turns out to be wrong', async () => {
  await check(newBox());
  let away = true;
  const { broken } = await proveDatabase(
    () => (away ? Promise.reject(new Error('away')) : faultOf(database.db, newBox(), new Date())),
    (error) => (error as Error).message === 'away',
  );
  away = false;
  await expect(broken).rejects.toThrow(/^ENCRYPTION_KEY: /);
});

test.each([
  [
    'an older server',
    'unrecognized configuration parameter "transaction_timeout"',
    '42704',
    /^DATABASE_URL: the server is too old; PostgreSQL 17 or later is needed$/,
  ],
  [
    'a wrong password',
    'password authentication failed for user "x"',
    '28P01',
    /^DATABASE_URL: the server refuses/,
  ],
  [
    'a pooler by transaction without its mode',
    'unsupported startup parameter: options',
    '08P01',
    /^DATABASE_URL: the pooler refuses a session .*DATABASE_POOL_MODE=transaction/,
  ],
])('%s stops the start with one line that names the variable', async (_, message, code, line) => {
  const server = await refusingServer(message, code);
  const db = createDatabase({ connectionString: server.url, applicationName: 'test' });
  try {
    const proof = proveDatabase(() => faultOf(db, newBox(), new Date()), isAway);
    await expect(proof).rejects.toMatchObject({ name: 'SettingError', message: expect.stringMatching(line) });
  } finally {
    await db.close();
    await server.close();
  }
});

/** Refuses each login as PostgreSQL does: an older version of it is not at hand. */
async function refusingServer(message: string, code: string) {
  const fields = `SFATAL\0VFATAL\0C${code}\0M${message}\0\0`;
  const refusal = Buffer.concat([Buffer.from('E'), Buffer.alloc(4), Buffer.from(fields)]);
  refusal.writeInt32BE(refusal.length - 1, 1);
  const server = createServer(
    (socket) => void socket.on('error', () => {}).once('data', () => socket.end(refusal)),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `postgres://x:y@127.0.0.1:${port}/z`,
    close: () => new Promise((done) => server.close(done)),
  };
}
