import { startApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { buildTenant } from '../support/builders.ts';
import { endApis, spawnApi } from './processes.ts';

let api: TestApi;

beforeAll(async () => {
  api = await startApi();
});
afterAll(async () => {
  endApis();
  await api.close();
});

test('the same request to two processes is done once, even while the first waits; the other is in flight or replays it', async () => {
  const { secretKey } = await buildTenant(api.db);
  const processes = [await spawnApi(api.url), await spawnApi(api.url)];
  const send = ({ origin }: { readonly origin: string }) =>
    fetch(`${origin}/v1/articles`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${secretKey}`,
        'content-type': 'application/json',
        'idempotency-key': 'once',
      },
      body: JSON.stringify({ title: 'Slow' }),
    });
  const blocker = await api.db.pool.connect();
  await blocker.query('begin');
  await blocker.query('lock table articles in share mode');
  const sent = processes.map(send);
  const waiting = async () =>
    (
      await api.db.pool.query(`
        select from pg_locks where relation = 'articles'::regclass and not granted
          and database = (select oid from pg_database where datname = current_database())`)
    ).rowCount;
  while ((await waiting()) !== 2);
  await blocker.query('rollback');
  blocker.release();

  const answers = await Promise.all(sent);
  const created = answers.filter(
    ({ status, headers }) => status === 201 && !headers.has('idempotency-replayed'),
  );
  expect(created).toHaveLength(1);
  for (const answer of answers.filter((each) => !created.includes(each))) {
    if (answer.headers.has('idempotency-replayed')) continue;
    const { error } = (await answer.json()) as { error: { code: string } };
    expect([answer.status, error.code]).toEqual([409, 'IDEMPOTENCY_KEY_IN_FLIGHT']);
  }
  const { data } = await api.request('GET', '/articles', { key: secretKey });
  expect(data.items).toHaveLength(1);
});
