import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createLogger } from '../../observability/log/logger.ts';
import { SearchIndexer } from '../../worker/search-indexer.ts';
import { buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { startApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { buildFillers, indexAll } from '../support/search.ts';

let api: TestApi;
let tenant: Tenant;
beforeAll(async () => {
  api = await startApi();
  tenant = await buildTenant(api.db);
});
afterAll(() => api.close());

const count = async (condition: string): Promise<number> => {
  const { rows } = await api.db.pool.query(
    `select count(*)::int as count from article_search where site_id = $1 and ${condition}`,
    [tenant.siteId],
  );
  return rows[0].count;
};
const foundByIndex = async (): Promise<number> => {
  const { rows } = await api.db.pool.query(
    `select count(*)::int as count from article_search
     where indexed and search_keys(site_id, words) @@ ('''' || right($1::text, 12) || 'filler''')::tsquery`,
    [tenant.siteId],
  );
  return rows[0].count;
};

test('an indexer that is killed between batches loses nothing, and others go on', async () => {
  await buildFillers(api, tenant.siteId, 1_000);
  const child = fork(new URL('search-indexer-process.ts', import.meta.url), {
    env: { ...process.env, DATABASE_URL: api.url },
    execArgv: ['--no-warnings'],
  });
  while ((await count('indexed')) < 40) await new Promise((done) => setTimeout(done, 10));
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
  expect(await count('true')).toBe(1_000);
  await indexAll(api);
  expect(await count('indexed')).toBe(1_000);
  expect(await foundByIndex()).toBe(1_000);
});

test('two at once share the work, and an article that changes meanwhile is indexed as it became', async () => {
  await buildFillers(api, tenant.siteId, 600, 'Before');
  const rewriting = api.db.pool.query(
    `update articles set content = 'Afterwards' where site_id = $1 and content = 'Before'`,
    [tenant.siteId],
  );
  await Promise.all([indexAll(api), indexAll(api), rewriting]);
  await indexAll(api);
  expect(await count(`indexed and words like '% before %'`)).toBe(0);
  expect(await count(`indexed and words like '% afterwards %'`)).toBe(600);
  const answer = await api.request('GET', '/articles?q=afterwards&limit=100', { key: tenant.secretKey });
  expect(answer.data.items).toHaveLength(100);
});

test('an indexer goes on after an error of the database, and stops when it is told to', async () => {
  const log = createLogger({ process: 'worker', level: 'silent', secrets: [] });
  let failures = 3;
  const failing = {
    ...api.db,
    transaction: (async (work) => {
      if ((failures -= 1) >= 0) throw new Error('away');
      return api.db.transaction(work);
    }) as typeof api.db.transaction,
  };
  const indexer = new SearchIndexer({ db: failing, log, pollMs: 5 });
  const running = indexer.run();
  await buildFillers(api, tenant.siteId, 5, 'Late');
  while ((await count('not indexed')) > 0) await new Promise((done) => setTimeout(done, 10));
  indexer.stop();
  await running;
});
