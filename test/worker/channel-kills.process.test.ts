import { createSecretBox } from '../../domain/kernel/secret-box.ts';
import { startApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { buildArticle, buildTenant } from '../support/builders.ts';
import { ENCRYPTION_KEY } from '../support/encryption-key.ts';
import { eventually } from '../support/eventually.ts';
import { closeReceivers, httpReceiver } from '../support/receivers.ts';
import { startTemporal } from '../support/temporal.ts';
import type { TestTemporal } from '../support/temporal.ts';
import { Names } from '../../adapters/http/names.ts';
import { endWorkers, oneAtATime } from './processes.ts';

const allowedHosts = new Set<string>();
let api: TestApi;
let temporal: TestTemporal;

beforeAll(async () => {
  const box = createSecretBox(Buffer.from(ENCRYPTION_KEY, 'base64'));
  const webhookUrls = { allowedHosts, names: new Names() };
  [api, temporal] = await Promise.all([startApi({ box, webhookUrls }), startTemporal()]);
});
afterEach(() => endWorkers());
afterAll(async () => {
  await closeReceivers();
  await Promise.all([api.close(), temporal.close()]);
});

const workers = () =>
  oneAtATime(() => ({
    databaseUrl: api.url,
    temporalAddress: temporal.address,
    namespace: temporal.namespace,
    env: { WEBHOOK_ALLOWED_HOSTS: [...allowedHosts].join(',') },
  }));

test('a worker that is killed between the sending and the commit repeats that message once, and no other', async () => {
  let took: () => Promise<void> = async () => {};
  const receiver = await httpReceiver((_, response) => void took().then(() => response.end()));
  allowedHosts.add(`127.0.0.1:${receiver.port}`);
  const tenant = await buildTenant(api.db);
  const call = (method: string, path: string, body?: unknown) =>
    api.request(method, path, { key: tenant.secretKey, body, idempotencyKey: true });
  const { data } = await call('POST', '/notifications/channels', {
    kind: 'slack',
    name: 'Editors',
    url: `${receiver.url}/S3CR3T`,
    kinds: ['review.requested'],
  });
  const askForReview = async () => {
    const { id } = await buildArticle(api, tenant.secretKey, { title: 'Tea', content: 'Text.' });
    expect((await call('POST', `/articles/${id}/review`)).status).toBe(201);
  };
  const process = workers();
  await process.working();
  await askForReview();
  await eventually('a message comes', () => receiver.seen.length === 1);
  let killed: Promise<void> | undefined;
  // The channel has the message, and the worker dies before it hears so.
  took = async () => {
    killed ??= process.kill();
    await killed;
  };
  await askForReview();
  await eventually('the worker is killed', () => killed !== undefined);
  await killed;
  await process.working();
  const rows = async () =>
    (
      await api.db.pool.query(
        'select id, sent_at from channel_messages where channel_id = $1 order by created_at',
        [data.id],
      )
    ).rows;
  await eventually('the message is settled', async () => (await rows())[1].sent_at !== null);
  const [first, second] = await rows();
  expect(receiver.seen.map(({ headers }) => headers['idempotency-key'])).toEqual([
    first.id,
    second.id,
    second.id,
  ]);
  expect(process.said()).not.toContain('S3CR3T');
});
