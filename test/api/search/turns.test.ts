import { useApi } from '../../support/api.ts';
import { buildArticle, buildKey, buildPublished, buildTenant } from '../../support/builders.ts';
import type { Tenant } from '../../support/builders.ts';
import { eventually } from '../../support/eventually.ts';
import { noise } from '../../support/images.ts';
import { registerUpload, uploadBytes } from '../../support/uploads.ts';

/** A search that takes too long costs its own Site time, and others nothing (docs/decisions/0135). */
const api = await useApi({}, { ownDatabase: 'rows of a Site take long to read', session: { poolSize: 16 } });
let noisy: Tenant;
let quiet: Tenant;

beforeAll(async () => {
  await api.db.pool.query('create table slow_sites (id uuid); grant select on slow_sites to public');
  for (const table of ['articles', 'media_assets', 'plan_items'])
    await api.db.pool.query(`
      alter table ${table} enable row level security;
      create policy everything on ${table} using (true) with check (true);
      create policy slow on ${table} as restrictive for select
        using (site_id not in (select id from slow_sites) or pg_sleep(60) is null)`);
});
beforeEach(async () => {
  [noisy, quiet] = await Promise.all([buildTenant(api.db), buildTenant(api.db)]);
  await buildPublished(api, noisy.secretKey);
  await api.request('POST', '/content-plan', { key: noisy.secretKey, body: { title: 'Slow' } });
  const bytes = new Uint8Array(await noise(8, 8).png().toBuffer());
  await registerUpload(api, noisy.secretKey, await uploadBytes(api, noisy.secretKey, bytes));
  await api.db.pool.query('insert into slow_sites values ($1)', [noisy.siteId]);
});

const list = (path: string, key: string) => api.request('GET', path, { key });
const running = async (): Promise<number> => {
  const { rowCount } = await api.db.pool.query(
    `select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`,
  );
  return rowCount ?? 0;
};

test.each(['/articles?q=slow', '/articles?q=slow&fields=content', '/media?q=slow', '/content-plan?q=slow'])(
  'GET %s is 503 when its second is over',
  async (path) => {
    const answer = await list(path, noisy.secretKey);
    expect([answer.status, answer.json.error.code]).toEqual([503, 'MAINTENANCE']);
    expect(answer.json.error.message).toMatch(/^q: .*second/);
    expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    await eventually('the server has aborted it', async () => (await running()) === 0);
  },
);

test('many searches with a publishable key run four at a time, and all reads of others are answered', async () => {
  await buildArticle(api, quiet.secretKey, { title: 'Quiet' });
  const { secret } = await buildKey(api.db, noisy.siteId, noisy.memberId, { kind: 'publishable' });
  const left = { count: 24 };
  const searches = Array.from({ length: left.count }, () =>
    list('/articles?q=slow', secret).finally(() => (left.count -= 1)),
  );
  await eventually('they run', async () => (await running()) === 4);
  while (left.count > 0) {
    expect(await running()).toBeLessThanOrEqual(4);
    expect((await list('/articles?q=quiet', quiet.secretKey)).data.items).toHaveLength(1);
    expect((await list('/articles', quiet.secretKey)).status).toBe(200);
    // Its own other reads have no part of the search's limits.
    expect((await list('/site', noisy.secretKey)).status).toBe(200);
  }
  expect(new Set((await Promise.all(searches)).map(({ status }) => status))).toEqual(new Set([503]));
});
