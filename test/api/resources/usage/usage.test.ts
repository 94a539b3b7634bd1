import { pino } from 'pino';
import { createHousekeepingActivities } from '../../../../activities/housekeeping.ts';
import { operator } from '../../../../domain/audit/record.ts';
import { grantCredits, ledgerKinds } from '../../../../domain/usage/credits.ts';
import { chargeCredits, refundCredits } from '../../../../domain/billing/charge.ts';
import { newId } from '../../../../domain/kernel/ids.ts';
import { countPipelineRun } from '../../../../domain/usage/usage.ts';
import { useApi } from '../../../support/api.ts';
import { buildArticle, buildKey, buildMember, buildSite, buildTenant } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';
import { TestClock } from '../../../support/clock.ts';

const DAY = 24 * 60 * 60_000;
const clock = new TestClock();
const warnings: unknown[] = [];
const log = pino({ level: 'warn' }, { write: (line: string) => warnings.push(JSON.parse(line)) });

let tenant: Tenant;

const api = await useApi({ clock }, { ownDatabase: 'the usage of all Sites is added up' });
beforeEach(async () => {
  tenant = await buildTenant(api.db);
});

// eslint-disable-next-line @typescript-eslint/no-explicit-any
const usage = async (key = tenant.secretKey): Promise<any> =>
  (await api.request('GET', '/usage', { key })).data;
const documents = async (): Promise<number> => (await usage()).usage.documents;
const keepUsage = (): Promise<number> => createHousekeepingActivities({ db: api.db, clock, log }).keepUsage();

const create = (count: number): Promise<{ id: string }[]> =>
  Promise.all(Array.from({ length: count }, () => buildArticle(api, tenant.secretKey)));
const remove = async ({ id }: { id: string }): Promise<void> => {
  expect((await api.request('DELETE', `/articles/${id}`, { key: tenant.secretKey })).status).toBe(204);
};

/** Inserts the rows of a registered asset. */
async function insertAsset(id: string, sizeBytes: number, siteId = tenant.siteId): Promise<void> {
  await api.db.pool.query(
    `insert into media_assets (id, site_id, bucket, object_key, file_name, mime_type, size_bytes, width, height, animated, created_at)
     values ($1, $2, 'blog-images', $4, 'a.png', 'image/png', $3, 1, 1, false, now())`,
    [id, siteId, sizeBytes, `public/${id}.png`],
  );
}

test('a new Site has its plan, its period, the limits, and no usage', async () => {
  clock.freeze(new Date('2026-12-31T23:59:59.999Z'));
  expect(await usage()).toEqual({
    plan: {
      key: 'pro',
      name: 'Pro',
      entitlements: ['content', 'media', 'taxonomy', 'webhooks', 'comments', 'pipeline'],
    },
    period: { start: '2026-12-01T00:00:00.000Z', end: '2027-01-01T00:00:00.000Z' },
    usage: { documents: 0, media_bytes: 0, pipeline_runs: 0, credits_spent: 0 },
    limits: { documents: 10_000, media_bytes: 25_000_000_000, webhook_endpoints: 10 },
    credits: { balance: 1_000 },
    spend_cap: null,
  });
});

test('the free plan has everything but the pipeline', async () => {
  const free = await buildTenant(api.db, { plan: 'free' });
  expect((await usage(free.secretKey)).plan).toEqual({
    key: 'free',
    name: 'Free',
    entitlements: ['content', 'media', 'taxonomy', 'webhooks', 'comments'],
  });
});

test('a spend cap is the Site’s own, the balance is shared by all Sites of the organisation', async () => {
  const siteId = await buildSite(api.db, tenant.organisationId, { spendCap: 40 });
  const member = await buildMember(api.db, tenant.organisationId);
  const { secret } = await buildKey(api.db, siteId, member);
  expect(await usage(secret)).toMatchObject({
    credits: { balance: 1_000 },
    spend_cap: { limit: 40, spent: 0, remaining: 40 },
  });
  expect((await usage()).spend_cap).toBeNull();
});

test('usage needs a secret key with meta:read', async () => {
  const { secret } = await buildKey(api.db, tenant.siteId, tenant.memberId, { scopes: ['articles:read'] });
  for (const path of ['/usage', '/usage/ledger']) {
    for (const key of [tenant.publishableKey, secret]) {
      const { status, json } = await api.request('GET', path, { key });
      expect([status, json.error.code]).toEqual([403, 'INSUFFICIENT_SCOPE']);
    }
  }
});

test('the ledger shows a grant, a charge and its refund, as the published document says', async () => {
  const of = { siteId: tenant.siteId, runId: newId(), articleId: newId(), stage: 'generate' };
  await api.db.transaction((tx) =>
    grantCredits({ tx, actor: operator, now: clock.now() }, tenant.organisationId, 50),
  );
  clock.advance(1_000);
  await api.db.transaction((tx) => chargeCredits(tx, { ...of, cost: 10 }, clock.now()));
  clock.advance(1_000);
  await api.db.transaction((tx) => refundCredits(tx, of, clock.now()));

  const { status, data } = await api.request('GET', '/usage/ledger?limit=3', { key: tenant.secretKey });
  expect(status).toBe(200);
  const unit = { run_id: of.runId, article_id: of.articleId, stage: 'generate' };
  expect(data.items).toMatchObject([
    { kind: 'refund', amount: 10, balance: 1_050, ...unit },
    { kind: 'charge', amount: -10, balance: 1_040, ...unit },
    { kind: 'grant', amount: 50, balance: 1_050, run_id: null, article_id: null, stage: null },
  ]);
  const document = (await api.request('GET', '/openapi.json')).json;
  const documented = document.components.schemas.LedgerEntry.properties.kind['x-extensible-enum'];
  expect(documented).toEqual(ledgerKinds);
  expect(documented).toEqual(expect.arrayContaining(data.items.map(({ kind }: { kind: string }) => kind)));
});

test('documents are exact while articles are created, deleted and folded at the same time', async () => {
  const first = await create(20);
  expect(await documents()).toBe(20);
  const kept = Promise.all([keepUsage(), keepUsage()]);
  await Promise.all([create(20), ...first.slice(0, 15).map(remove), kept]);
  expect(await documents()).toBe(25);
  expect(await keepUsage()).toBe(0);
  expect(await documents()).toBe(25);
  expect((await api.db.pool.query('select id from usage_changes')).rows).toEqual([]);
});

test('a create that fails or is replayed is not counted', async () => {
  const options = { key: tenant.secretKey, idempotencyKey: 'one', body: { title: 'Once', slug: 'once' } };
  await api.request('POST', '/articles', options);
  await api.request('POST', '/articles', options);
  expect((await api.request('POST', '/articles', { ...options, idempotencyKey: 'two' })).status).toBe(409);
  await buildArticle(api, tenant.secretKey, { title: 'Once' });
  expect(await documents()).toBe(2);
});

test('the bytes of media are counted for each Site', async () => {
  const other = await buildTenant(api.db);
  await insertAsset('0197a0c4-5c1e-7d30-9b64-2f1f0d3c8a01', 9_000_000);
  await insertAsset('0197a0c4-5c1e-7d30-9b64-2f1f0d3c8a02', 500, other.siteId);
  await insertAsset('0197a0c4-5c1e-7d30-9b64-2f1f0d3c8a03', 7);
  expect((await usage()).usage.media_bytes).toBe(9_000_007);
  expect(
    (await api.request('DELETE', '/media/0197a0c4-5c1e-7d30-9b64-2f1f0d3c8a01', { key: tenant.secretKey }))
      .status,
  ).toBe(204);
  expect((await usage()).usage.media_bytes).toBe(7);
  expect((await usage(other.secretKey)).usage.media_bytes).toBe(500);
});

test('wrong totals are corrected and reported by the daily check, also during writes', async () => {
  await create(5);
  await keepUsage();
  await api.db.pool.query(
    'update site_usage set documents = documents + 3, media_bytes = 10 where site_id = $1',
    [tenant.siteId],
  );
  expect(await documents()).toBe(8);
  // Already checked within the day.
  expect(await keepUsage()).toBe(0);
  clock.advance(DAY);
  warnings.length = 0;
  const [repairs] = await Promise.all([Promise.all([keepUsage(), keepUsage()]), create(5)]);
  expect(repairs.reduce((sum, one) => sum + one)).toBe(1);
  expect((await usage()).usage).toMatchObject({ documents: 10, media_bytes: 0 });
  expect(warnings).toMatchObject([
    { drift: { site_id: tenant.siteId, documents: -3, media_bytes: -10 }, msg: expect.any(String) },
  ]);
});

test('runs are counted in their month', async () => {
  await api.db.transaction((tx) => countPipelineRun(tx, tenant.siteId, clock.now()));
  await api.db.transaction((tx) => countPipelineRun(tx, tenant.siteId, clock.now()));
  expect((await usage()).usage.pipeline_runs).toBe(2);
  clock.advance(31 * DAY);
  expect((await usage()).usage.pipeline_runs).toBe(0);
});
