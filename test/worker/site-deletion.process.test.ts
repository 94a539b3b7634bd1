import { statement } from '../../db/sql.ts';
import { operator } from '../../domain/audit/record.ts';
import { findDeletion } from '../../domain/leaving/deletion.ts';
import { requestSiteDeletion } from '../../domain/leaving/site-deletion.ts';
import { createSecretBox } from '../../domain/kernel/secret-box.ts';
import { startApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { buildTenant } from '../support/builders.ts';
import { ENCRYPTION_KEY } from '../support/encryption-key.ts';
import { eventually } from '../support/eventually.ts';
import { buildFullSite, rowsOfSite } from '../support/full-site.ts';
import { storedKeys } from '../support/objects.ts';
import { startTemporal } from '../support/temporal.ts';
import type { TestTemporal } from '../support/temporal.ts';
import { detailsOf } from '../workflows/current-details.ts';
import { endWorkers, oneAtATime } from './processes.ts';

let api: TestApi;
let temporal: TestTemporal;

beforeAll(async () => {
  const box = createSecretBox(Buffer.from(ENCRYPTION_KEY, 'base64'));
  [api, temporal] = await Promise.all([startApi({ box }), startTemporal()]);
});
afterAll(async () => {
  endWorkers();
  await api.close();
  await temporal.close();
});

const workers = oneAtATime(() => ({
  databaseUrl: api.url,
  temporalAddress: temporal.address,
  namespace: temporal.namespace,
}));

/** @param waitSeconds how long the last sweep waits for requests from before: a minute, but for tests */
async function ask(siteId: string, waitSeconds: number): Promise<void> {
  // Upload URLs that nobody waits for in this test.
  await api.db.pool.query(
    "update upload_reservations set url_expires_at = now() - interval '1 hour' where site_id = $1",
    [siteId],
  );
  const { rows } = await api.db.pool.query('select name from sites where id = $1', [siteId]);
  await api.db.transaction(async (tx) => {
    const act = { tx, actor: operator, now: new Date() };
    await requestSiteDeletion(act, siteId, { confirm: rows[0].name, by: 'olga' });
    const wait = `${waitSeconds} seconds`;
    await tx.exec(
      statement`update deletions set quiet_at = asked_at + ${wait}::interval where target_id = ${siteId}`,
    );
  });
}

const deletedRows = async (siteId: string, table: string): Promise<number> =>
  (await findDeletion(api.db, siteId))?.deleted[table] ?? 0;
const isDeleted = async (siteId: string): Promise<boolean> =>
  (await findDeletion(api.db, siteId))?.finished_at instanceof Date;

/** Types of the workflows that Temporal still has of a Site. */
async function workflowsOf(siteId: string): Promise<string[]> {
  const types: string[] = [];
  for await (const { type } of temporal.client.workflow.list({ query: `SiteId = '${siteId}'` }))
    types.push(type);
  return types;
}

test('a Site is deleted with its rows, its objects, and what Temporal keeps; another Site keeps all of it', async () => {
  const [gone, other] = [await buildFullSite(api), await buildFullSite(api)];
  await workers.working();
  for (const { siteId } of [gone, other])
    await eventually('its workflows run', async () =>
      ['scheduledPublish', 'uploadReservation', 'approval'].every(async (type) =>
        (await workflowsOf(siteId)).includes(type),
      ),
    );
  await eventually(
    'the other’s workflows are listed',
    async () => (await workflowsOf(other.siteId)).length >= 3,
  );
  const othersKeys = await storedKeys(other.siteId);

  await ask(gone.siteId, 30);
  const { secretKey: key } = gone;
  expect((await api.request('GET', '/ping', { key })).status).toBe(401);
  await eventually('its deletion runs', async () =>
    (await workflowsOf(gone.siteId)).includes('siteDeletion'),
  );
  await eventually('it waits for the last sweep', async () => {
    const handle = temporal.client.workflow.getHandle(`site-deletion/${gone.siteId}`);
    return (await detailsOf(handle)).includes('the last sweep follows at');
  });
  await eventually('it is deleted', () => isDeleted(gone.siteId));

  const { credit_ledger: _, ...rest } = await rowsOfSite(api, gone.siteId);
  expect(Object.entries(rest).filter(([, count]) => count > 0)).toEqual([]);
  expect(await storedKeys(gone.siteId)).toEqual([]);
  await eventually('Temporal keeps the deletion alone', async () => {
    const left = await workflowsOf(gone.siteId);
    return left.length === 1 && left[0] === 'siteDeletion';
  });
  expect(await deletedRows(gone.siteId, 'workflows')).toBeGreaterThanOrEqual(3);

  expect(await workflowsOf(other.siteId)).toEqual(
    expect.arrayContaining(['scheduledPublish', 'uploadReservation', 'approval']),
  );
  expect((await rowsOfSite(api, other.siteId))['articles']).toBeGreaterThan(0);
  expect(await storedKeys(other.siteId)).toEqual(othersKeys);
  expect((await api.request('GET', '/ping', { key: other.secretKey })).status).toBe(200);
}, 240_000);

test('a worker killed in the middle of a deletion: another one ends it, and each row is counted once', async () => {
  const { siteId } = await buildTenant(api.db);
  const articles = 20_000;
  await api.db.pool.query(
    `insert into articles (id, site_id, status, created_at, updated_at)
     select uuidv7(), $1, 'draft', now(), now() from generate_series(1, $2::int)`,
    [siteId, articles],
  );
  await workers.working();
  await ask(siteId, 0);
  await eventually('rows are being deleted', async () => (await deletedRows(siteId, 'articles')) > 0, 5);
  await workers.kill();
  const left = (await rowsOfSite(api, siteId))['articles'] ?? 0;
  expect(left).toBeGreaterThan(0);
  expect(left + (await deletedRows(siteId, 'articles'))).toBe(articles);

  await workers.working();
  await eventually('it is deleted', () => isDeleted(siteId));
  expect((await findDeletion(api.db, siteId))?.deleted).toMatchObject({ articles, sites: 1 });
  expect((await rowsOfSite(api, siteId))['articles']).toBe(0);
}, 240_000);
