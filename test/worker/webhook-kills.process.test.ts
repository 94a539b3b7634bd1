import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../runtime/free-port.ts';
import { Supervised } from '../../tools/dev/supervised.ts';
import { embeddedTemporal, waitForTemporal } from '../../tools/dev/temporal.ts';
import { findTemporal } from '../../tools/dev/tools.ts';
import { buildKey } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { startWebhooks } from '../support/webhooks.ts';
import type { WebhookStack } from '../support/webhooks.ts';
import { endWorkers, spawnApi, spawnWorker } from './processes.ts';

const PUBLISHES = 300;
const PUBLISHERS = 6;

const home = mkdtempSync(join(tmpdir(), 'presswork-kills-'));
let stack: WebhookStack;
let temporal: Supervised;
let temporalAddress: string;

beforeAll(async () => {
  stack = await startWebhooks();
  const port = await freePort();
  const { path: program } = await findTemporal();
  const [file, logFile] = [join(home, 'temporal.db'), join(home, 'temporal.log')];
  // With its state in a file, and restarted if it dies, as in `npm start`.
  temporal = new Supervised(embeddedTemporal({ program, port, uiPort: null, file, logFile }), () => {});
  temporal.start();
  temporalAddress = `127.0.0.1:${port}`;
  await waitForTemporal(temporalAddress);
});
afterEach(() => endWorkers());
afterAll(async () => {
  await stack.close();
  await temporal.stop(10_000);
  rmSync(home, { recursive: true, force: true });
});

/** Settings of a process that uses the stack's database. */
const settings = () => ({
  databaseUrl: stack.api.url,
  temporalAddress,
  namespace: 'default',
  env: {
    ENCRYPTION_KEY: stack.encryptionKey.toString('base64'),
    WEBHOOK_ALLOWED_HOSTS: [...stack.allowedHosts].join(','),
  },
});

/** An endpoint, the drafts of its Site, and a function that publishes them. */
async function prepare() {
  const { api } = stack;
  const { siteId, memberId, secretKey } = await stack.newTenant();
  const receiver = await stack.receiver((_, response) => void setTimeout(() => response.end(), 5));
  const { id } = await stack.endpoint(receiver.url, {}, secretKey);
  const shares = await Promise.all(
    Array.from({ length: PUBLISHERS }, async () => {
      const key = (await buildKey(api.db, siteId, memberId)).secret;
      const articles: string[] = [];
      for (let count = 0; count < PUBLISHES / PUBLISHERS; count += 1) {
        const body = { title: 'An article', content: 'Text.' };
        const answer = await api.request('POST', '/articles', { key, body, idempotencyKey: true });
        articles.push(answer.data.id);
      }
      return { key, articles };
    }),
  );
  let published = 0;
  /** Publishes everything; requests without an answer are retried, as by a client. */
  const publishAll = (origin: () => string): Promise<unknown> =>
    Promise.all(
      shares.map(async ({ key, articles }) => {
        for (const article of articles) {
          const publish = () =>
            api.request('POST', `${origin()}/v1/articles/${article}/publish`, { key }).then(
              ({ status }) => status,
              () => null,
            );
          await eventually('it is published', async () => (await publish()) === 200, 100);
          published += 1;
        }
      }),
    );
  return { id, siteId, seen: receiver.seen, publishAll, published: () => published };
}

type Prepared = Awaited<ReturnType<typeof prepare>>;

const halfway = ({ published, seen }: Prepared): Promise<void> =>
  eventually('half of it is published and some has arrived', () => published() >= 150 && seen.length >= 20);

/** Each article has one event, each event arrived, and each request has one row. */
async function expectEverything({ id, siteId, seen }: Prepared): Promise<void> {
  const { pool } = stack.api.db;
  const { rows: events } = await pool.query(
    `select id, body::jsonb #>> '{data,id}' as article from events where site_id = $1 and event = 'article.published'`,
    [siteId],
  );
  expect(events).toHaveLength(PUBLISHES);
  expect(new Set(events.map(({ article }) => article)).size).toBe(PUBLISHES);
  const arrived = () => new Set(seen.map(({ body }) => JSON.parse(body).id));
  await eventually('everything has arrived', () => arrived().size === PUBLISHES, 100);
  await eventually(
    'everything is recorded',
    async () => (await pool.query('select from webhook_queue where endpoint_id = $1', [id])).rowCount === 0,
    100,
  );
  expect(arrived()).toEqual(new Set(events.map((event) => event.id)));
  const rows = await stack.attempts(id);
  const sent = seen.map(({ headers }) => headers['service-delivery']);
  expect(new Set(sent).size).toBe(sent.length);
  expect(rows.map((row) => row.id).sort()).toEqual(sent.sort());
  expect(new Set(rows.map((row) => `${row.event_id} ${row.attempt}`)).size).toBe(rows.length);
  expect(rows.filter(({ status }) => status === 'succeeded')).toHaveLength(PUBLISHES);
}

test('the API killed with SIGKILL in the middle of 300 publications: all committed events arrive, each attempt has its row', async () => {
  const prepared = await prepare();
  await spawnWorker(settings()).working;
  let api = await spawnApi(settings());
  await api.working;
  const publishing = prepared.publishAll(() => api.origin);
  await halfway(prepared);
  await api.kill();
  expect(prepared.published()).toBeLessThan(PUBLISHES);
  api = await spawnApi(settings());
  await api.working;
  await publishing;
  await expectEverything(prepared);
});

test('Temporal killed with SIGKILL in the middle of 300 publications: publishing continues, and everything arrives once it is back', async () => {
  const prepared = await prepare();
  await spawnWorker(settings()).working;
  const publishing = prepared.publishAll(() => stack.api.origin);
  await halfway(prepared);
  const killed = temporal.running!.pid;
  process.kill(killed, 'SIGKILL');
  expect(prepared.published()).toBeLessThan(PUBLISHES);
  await publishing;
  await eventually('another one runs', () => (temporal.running?.pid ?? killed) !== killed);
  await expectEverything(prepared);
});
