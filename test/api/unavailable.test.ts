import { createDatabase } from '../../db/database.ts';
import type { Database } from '../../db/database.ts';
import { startApi } from '../support/api.ts';
import type { Answer, TestApi } from '../support/api.ts';
import { buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { createTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { createWire } from '../support/temporal.ts';
import type { Wire } from '../support/temporal.ts';

/** The API uses its database through a proxy that can be cut. */
let own: TestDatabase;
let db: Database;
let wire: Wire;
let api: TestApi;
let tenant: Tenant;

beforeAll(async () => {
  own = await createTestDatabase();
  const url = new URL(own.url);
  wire = await createWire(url.host);
  url.port = wire.address.split(':')[1] as string;
  db = createDatabase({ connectionString: url.href, applicationName: 'over-the-wire' });
  api = await startApi({ db }, { on: own });
  tenant = await buildTenant(own.db);
});
afterAll(async () => {
  await db.close();
  await wire.cut();
  await api.close();
  await own.drop();
});

const create = (idempotencyKey: string): Promise<Answer> =>
  api.request('POST', '/articles', { key: tenant.secretKey, body: {}, idempotencyKey });

const expectUnavailable = (answer: Answer): void => {
  expect([answer.status, answer.json.error.code]).toEqual([503, 'MAINTENANCE']);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(answer.text).not.toMatch(/connect|terminat|sql|database|127\.0/i);
};

test('while the database is unavailable, reads and writes are 503 with Retry-After, and work again once it is back', async () => {
  await wire.cut();
  expectUnavailable(await api.request('GET', '/articles', { key: tenant.secretKey }));
  expectUnavailable(await create('away'));
  await wire.open();
  const again = await create('away');
  expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, null]);
});

test.each(['pg_terminate_backend', 'pg_cancel_backend'])(
  'a write whose statement is ended by %s is 503, and leaves nothing behind',
  async (end) => {
    const blocker = await own.db.pool.connect();
    try {
      await blocker.query('begin');
      await blocker.query('lock table articles in share row exclusive mode');
      const cut = create(end);
      await eventually('it waits, and is ended', async () => {
        const { rowCount } = await blocker.query(
          `select ${end}(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return rowCount === 1;
      });
      expectUnavailable(await cut);
    } finally {
      await blocker.query('rollback');
      blocker.release();
    }
    const again = await create(end);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, null]);
  },
);

test('operations without a key and requests without a usable one are 503 as well; the device page says so in HTML', async () => {
  await wire.cut();
  try {
    const device = { client_name: 'a device' };
    expectUnavailable(await api.request('POST', '/auth/device', { body: device }));
    expectUnavailable(await api.request('POST', '/auth/device/token', { body: { device_code: 'x' } }));
    expectUnavailable(await api.request('GET', '/articles'));
    expectUnavailable(await api.request('OPTIONS', '/articles'));
    expectUnavailable(
      await api.request('POST', '/media/upload-url', {
        key: tenant.secretKey,
        body: { file_name: 'a.jpg', content_type: 'image/jpeg' },
        idempotencyKey: true,
      }),
    );
    const page = await api.request('GET', `${api.origin}/device`);
    expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8']);
    expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(page.text).toContain('<h1>That did not work</h1>');
  } finally {
    await wire.open();
  }
});
