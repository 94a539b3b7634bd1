import { eventually } from '../support/eventually.ts';
import { startApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { buildTenant } from '../support/builders.ts';
import { startMailServer } from '../support/mail-server.ts';
import type { MailServer } from '../support/mail-server.ts';
import { startTemporal } from '../support/temporal.ts';
import type { TestTemporal } from '../support/temporal.ts';
import { endWorkers, oneAtATime } from './processes.ts';

let api: TestApi;
let temporal: TestTemporal;
let server: MailServer;

beforeAll(async () => {
  [api, temporal, server] = await Promise.all([startApi(), startTemporal(), startMailServer()]);
});
afterEach(() => endWorkers());
afterAll(async () => {
  await Promise.all([api.close(), temporal.close(), server.close()]);
});

const workers = () =>
  oneAtATime(() => ({
    databaseUrl: api.url,
    temporalAddress: temporal.address,
    namespace: temporal.namespace,
    env: { SMTP_URL: server.url, MAIL_FROM: 'presswork@example.com' },
  }));

test('a worker that is killed between the sending and the commit repeats the mail once, with its Message-ID', async () => {
  const tenant = await buildTenant(api.db);
  const process = workers();
  await process.working();
  const newKey = () =>
    api.request('POST', '/keys', {
      key: tenant.secretKey,
      body: { name: 'One', kind: 'secret', scopes: ['articles:read'] },
      idempotencyKey: true,
    });
  await newKey();
  await eventually('mail comes', () => server.received.length === 1);
  server.received.length = 0;
  let killed: Promise<void> | undefined;
  // The server has the mail, and the worker dies before it hears so.
  server.after = async () => {
    killed ??= process.kill();
    await killed;
  };
  await newKey();
  await eventually('the worker is killed', () => killed !== undefined);
  await killed;
  await process.working();
  const states = async () => {
    const { rows } = await api.db.pool.query(
      'select id, mailed_at from notifications where member_id = $1 order by created_at desc limit 1',
      [tenant.memberId],
    );
    return rows[0];
  };
  await eventually('the mail is settled', async () => (await states()).mailed_at !== null);
  const { id } = await states();
  const message = `<${id}@example.com>`;
  expect(server.received.map((mail) => mail.header('message-id'))).toEqual([message, message]);
});
