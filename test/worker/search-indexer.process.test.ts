import { fork } from 'node:child_process';
import { once } from 'node:events';
import { buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { startApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
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
  await eventually('some are indexed', async () => (await count('indexed')) >= 40, 10);
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
  expect(await count('true')).toBe(1_000);
  await indexAll(api);
  expect(await count('indexed')).toBe(1_000);
  expect(await foundByIndex()).toBe(1_000);
});
