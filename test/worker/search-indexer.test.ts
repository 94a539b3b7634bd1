import type { WordsReader } from '../../domain/kernel/searched-text.ts';
import { refineWords } from '../../domain/search/refine-words.ts';
import { createLogger } from '../../observability/log/logger.ts';
import { SearchIndexer } from '../../worker/search-indexer.ts';
import { buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { startApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { testRenderer } from '../support/renderer.ts';
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

test('words that were read before a change is committed do not replace those of the change', async () => {
  await buildFillers(api, tenant.siteId, 1, 'Ear**li**er');
  await api.db.pool.query('update article_search set indexed = true');
  const writer = await api.db.pool.connect();
  const read: WordsReader = async (siteId, text) => {
    const words = await testRenderer.readWords(siteId, text);
    await writer.query('begin');
    await writer.query(`update articles set content = 'La**t**er' where content = 'Ear**li**er'`);
    return words;
  };
  const refining = refineWords(api.db, read);
  await eventually('the indexer waits for the change', async () => {
    const { rows } = await api.db.pool.query(
      'select from pg_stat_activity where pg_blocking_pids(pid) = array[$1::int]',
      [(await writer.query('select pg_backend_pid() as pid')).rows[0].pid],
    );
    return rows.length === 1;
  });
  await writer.query('commit');
  writer.release();
  await refining;
  expect(await count(`not refined and words like '% la t er %'`)).toBe(1);
  await indexAll(api);
  expect(await count(`refined and words like '% later %'`)).toBe(1);
});

test('an indexer goes on after an error of the database, and stops when it is told to', async () => {
  const log = createLogger({ process: 'worker', level: 'silent', secrets: [] });
  let failures = 3;
  const failing = {
    ...api.db,
    exec: (async (written) => {
      if ((failures -= 1) >= 0) throw new Error('away');
      return api.db.exec(written);
    }) as typeof api.db.exec,
  };
  const indexer = new SearchIndexer({ db: failing, log, readWords: testRenderer.readWords, pollMs: 5 });
  const running = indexer.run();
  await buildFillers(api, tenant.siteId, 5, 'Late');
  await eventually('all are indexed', async () => (await count('not indexed')) === 0, 10);
  indexer.stop();
  await running;
});

test('an article for which a machine has no time is found by its Markdown, and holds up no other', async () => {
  await buildFillers(api, tenant.siteId, 2, 'Its **bold**ness');
  const log = createLogger({ process: 'worker', level: 'silent', secrets: [] });
  let refusals = 1;
  const readWords: WordsReader = async (siteId, text) =>
    (refusals -= 1) >= 0 ? null : testRenderer.readWords(siteId, text);
  const indexer = new SearchIndexer({ db: api.db, log, readWords, pollMs: 5 });
  const running = indexer.run();
  await eventually('the other is read', async () => (await count(`words like '% boldness %'`)) === 1, 10);
  await eventually('both are indexed', async () => (await count('not indexed')) === 0, 10);
  indexer.stop();
  await running;
  expect(await count(`not refined and words like '% bold ness %' and changed_at > now()`)).toBe(1);
});
