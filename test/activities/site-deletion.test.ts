import { MockActivityEnvironment } from '@temporalio/testing';
import { createOrganisationDeletionActivities } from '../../activities/organisation-deletion.ts';
import { createSiteDeletionActivities } from '../../activities/site-deletion.ts';
import type { SiteDeletionActivities } from '../../activities/site-deletion.ts';
import type { SiteWorkflows } from '../../adapters/site-workflows.ts';
import { operator } from '../../domain/audit/record.ts';
import { systemClock } from '../../domain/kernel/clock.ts';
import { findDeletion } from '../../domain/leaving/deletion.ts';
import { requestOrganisationDeletion } from '../../domain/leaving/organisation-deletion.ts';
import { countRows, requestSiteDeletion } from '../../domain/leaving/site-deletion.ts';
import { siteTables } from '../../domain/leaving/site-tables.ts';
import { useApi } from '../support/api.ts';
import { buildKey, buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { buildFullSite, rowsOfSite } from '../support/full-site.ts';
import { createTestObjects, storedKeys } from '../support/objects.ts';
import { startTestStripe } from '../support/stripe/payments.ts';

const api = await useApi();
let activities: SiteDeletionActivities;
const context = new MockActivityEnvironment();
const none = async () => ({ listed: 0, done: 0 });
const workflows: SiteWorkflows = { terminateRunning: none, deleteClosed: none };

beforeAll(async () => {
  activities = createSiteDeletionActivities({
    db: api.db,
    clock: systemClock,
    objects: createTestObjects(),
    workflows,
    schedules: { remove: async () => {} },
  });
});

const run = <Result>(activity: (id: string) => Promise<Result>, id: string): Promise<Result> =>
  context.run(activity, id);

const nameOf = async (table: string, id: string): Promise<string> =>
  (await api.db.pool.query(`select name from ${table} where id = $1`, [id])).rows[0].name;

const ask = async (siteId: string, confirm?: string) => {
  const request = { confirm: confirm ?? (await nameOf('sites', siteId)), by: 'olga' };
  return api.db.transaction((tx) =>
    requestSiteDeletion({ tx, actor: operator, now: new Date() }, siteId, request),
  );
};

/** What the workflow does, without its waits. */
async function deleteSite(siteId: string): Promise<void> {
  await run(activities.stopSite, siteId);
  while ((await run(activities.deleteSiteRows, siteId)).more);
  while ((await run(activities.deleteSiteObjects, siteId)).more);
  expect(await run(activities.finishSite, siteId)).toBe(true);
}

const status = async (key: string, path = '/ping') => {
  const { status: code, json } = await api.request('GET', path, { key });
  return [code, json.error?.code];
};

describe('a deleted Site', () => {
  let gone: Tenant;
  let other: Tenant;
  let othersBefore: Record<string, number>;

  beforeAll(async () => {
    gone = await buildFullSite(api);
    other = await buildFullSite(api);
    othersBefore = await rowsOfSite(api, other.siteId);
  }, 120_000);

  test('has rows in every table before, all of which the list of tables knows', async () => {
    const before = await rowsOfSite(api, gone.siteId);
    expect(Object.keys(before).toSorted()).toEqual(siteTables.map(({ name }) => name).toSorted());
    expect(Object.entries(before).filter(([, count]) => count === 0)).toEqual([]);
    expect(await storedKeys(gone.siteId)).not.toEqual([]);
  });

  test('is not deleted without its name, and a dry run changes nothing', async () => {
    await expect(ask(gone.siteId, 'Another name')).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    const counts = await countRows(api.db, gone.siteId);
    const { credit_ledger: _, ...rows } = await rowsOfSite(api, gone.siteId);
    expect(counts).toEqual(rows);
    expect(await findDeletion(api.db, gone.siteId)).toBeNull();
    expect(await status(gone.publishableKey)).toEqual([200, undefined]);
  });

  test('none of it can be deleted before that was asked for, by whichever role', async () => {
    for (const table of [
      'sites',
      'api_keys',
      'api_key_secrets',
      'site_months',
      'audit_log',
      'pipeline_steps',
    ])
      for (const by of [
        api.db.pool,
        { query: (text: string) => api.db.exec({ sql: text, values: [] } as never) },
      ])
        await expect(by.query(`delete from ${table}`)).rejects.toThrow(/only|new rows/);
  });

  test('refuses its keys from the request on, also one that is made at the same time', async () => {
    expect(await status(gone.secretKey)).toEqual([200, undefined]);
    const [first, second] = await Promise.all([ask(gone.siteId), ask(gone.siteId)]);
    expect(second.asked_at).toEqual(first.asked_at);
    expect(await status(gone.secretKey)).toEqual([401, 'API_KEY_REVOKED']);
    expect(await status(gone.publishableKey, '/articles')).toEqual([401, 'API_KEY_REVOKED']);
    await expect(buildKey(api.db, gone.siteId, gone.memberId)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const { rows } = await api.db.pool.query(
      'select bool_or(enabled) as enabled from webhook_endpoints where site_id = $1',
      [gone.siteId],
    );
    expect(rows[0].enabled).toBe(false);
    expect(await status(other.secretKey)).toEqual([200, undefined]);
  });

  test('leaves nothing but the ledger and a receipt that counts it; other Sites keep everything', async () => {
    const before = await rowsOfSite(api, gone.siteId);
    const keys = await storedKeys(gone.siteId);
    const othersKeys = await storedKeys(other.siteId);
    await deleteSite(gone.siteId);

    const { credit_ledger: ledger, ...rest } = await rowsOfSite(api, gone.siteId);
    expect(Object.entries(rest).filter(([, count]) => count > 0)).toEqual([]);
    expect(ledger).toBe(before['credit_ledger']);
    expect(await storedKeys(gone.siteId)).toEqual([]);
    expect(await status(gone.secretKey)).toEqual([401, 'INVALID_API_KEY']);

    expect(await rowsOfSite(api, other.siteId)).toEqual(othersBefore);
    expect(await storedKeys(other.siteId)).toEqual(othersKeys);

    const receipt = await findDeletion(api.db, gone.siteId);
    expect(receipt).toMatchObject({ kind: 'site', asked_by: 'olga', finished_at: expect.any(Date) });
    expect(receipt?.deleted).toMatchObject({
      sites: 1,
      objects: keys.length,
      articles: before['articles'],
      comments: before['comments'],
      audit_log: before['audit_log'],
      api_key_secrets: before['api_key_secrets'],
    });
  });

  test('is in its organisation’s log, with who asked; asked again, it is the same deletion', async () => {
    const { rows } = await api.db.pool.query(
      `select actor_name, target_id, details from audit_log where organisation_id = $1 and action = 'site.delete'`,
      [gone.organisationId],
    );
    expect(rows).toEqual([
      { actor_name: 'operator', target_id: gone.siteId, details: expect.objectContaining({ by: 'olga' }) },
    ]);
    const receipt = await findDeletion(api.db, gone.siteId);
    expect(await ask(gone.siteId, 'whatever')).toEqual(receipt);
    await deleteSite(gone.siteId);
    expect(await findDeletion(api.db, gone.siteId)).toEqual(receipt);
  });
});

test('rows are deleted in short transactions, each of them counted', async () => {
  const { siteId } = await buildTenant(api.db);
  await api.db.pool.query(
    `insert into articles (id, site_id, status, created_at, updated_at)
     select uuidv7(), $1, 'draft', now(), now() from generate_series(1, 2500)`,
    [siteId],
  );
  await ask(siteId);
  const counts: number[] = [];
  const watched = {
    ...api.db,
    async transaction(...args: Parameters<typeof api.db.transaction>) {
      const result = await api.db.transaction(...args);
      counts.push((await findDeletion(api.db, siteId))?.deleted['articles'] ?? 0);
      return result;
    },
  };
  const { deleteSiteRows } = createSiteDeletionActivities({
    db: watched as typeof api.db,
    clock: systemClock,
    objects: createTestObjects(),
    workflows,
    schedules: { remove: async () => {} },
  });
  expect(await run(deleteSiteRows, siteId)).toEqual({ more: false });
  expect([...new Set(counts)]).toEqual([0, 1_000, 2_000, 2_500]);
  await deleteSite(siteId);
});

test('a Site that gets a row at the last moment is swept again', async () => {
  const { siteId } = await buildTenant(api.db);
  await ask(siteId);
  while ((await run(activities.deleteSiteRows, siteId)).more);
  await api.db.pool.query(
    `insert into tags (id, site_id, name, slug, created_at, updated_at) values (uuidv7(), $1, 'Late', 'late', now(), now())`,
    [siteId],
  );
  expect(await run(activities.finishSite, siteId)).toBe(false);
  await deleteSite(siteId);
});

test('a deletion that nobody asked for does not happen', async () => {
  const { siteId } = await buildTenant(api.db);
  for (const activity of Object.values(activities))
    await expect(run<unknown>(activity, siteId)).rejects.toThrow('Nobody asked');
});

test('an organisation is deleted with its Sites and people; its ledger stays, under ids alone', async () => {
  const tenant = await buildFullSite(api);
  const { organisationId, siteId } = tenant;
  const request = { confirm: await nameOf('organisations', organisationId), by: 'olga' };
  const asked = await api.db.transaction((tx) =>
    requestOrganisationDeletion({ tx, actor: operator, now: new Date() }, organisationId, request),
  );
  expect(asked).toMatchObject({ kind: 'organisation', finished_at: null });
  expect(await status(tenant.secretKey)).toEqual([401, 'API_KEY_REVOKED']);
  const of = createOrganisationDeletionActivities({ db: api.db, clock: systemClock, payments: null });
  expect(await run(of.deleteSites, organisationId)).toBe(1);
  await deleteSite(siteId);
  expect(await run(of.deleteSites, organisationId)).toBe(0);
  expect(await run(of.deleteOrganisation, organisationId)).toEqual({ more: false });
  for (const table of ['members', 'audit_log', 'sites']) {
    const { rows } = await api.db.pool.query(`select from ${table} where organisation_id = $1`, [
      organisationId,
    ]);
    expect([table, rows.length]).toEqual([table, 0]);
  }
  const { rows } = await api.db.pool.query('select from credit_ledger where organisation_id = $1', [
    organisationId,
  ]);
  expect(rows.length).toBeGreaterThan(0);
  expect(await findDeletion(api.db, organisationId)).toMatchObject({
    finished_at: expect.any(Date),
    deleted: { organisations: 1, members: expect.any(Number) },
  });
});

test('an organisation stays until its subscription is cancelled, which a key may not be allowed to do', async () => {
  const { organisationId, siteId } = await buildTenant(api.db);
  const stripe = await startTestStripe();
  stripe.account.subscriptions.set('sub_live', { id: 'sub_live', status: 'active' });
  await api.db.pool.query(
    `insert into billing_subscriptions
       (id, organisation_id, plan, status, current_period_end, cancel_at_period_end, entitled, told_at, created_at)
     select id, $1, 'pro', 'active', now(), false, true, now(), now() from unnest(array['sub_gone', 'sub_live']) as id`,
    [organisationId],
  );
  const request = { confirm: await nameOf('organisations', organisationId), by: 'olga' };
  await api.db.transaction((tx) =>
    requestOrganisationDeletion({ tx, actor: operator, now: new Date() }, organisationId, request),
  );
  await deleteSite(siteId);
  const { deleteOrganisation } = createOrganisationDeletionActivities({
    db: api.db,
    clock: systemClock,
    payments: stripe.payments,
  });
  stripe.faults.push({ path: /DELETE .*sub_live/, kind: 403 });
  await expect(run(deleteOrganisation, organisationId)).rejects.toThrow(
    'Stripe did not cancel a subscription (StripePermissionError',
  );
  expect(await nameOf('organisations', organisationId)).toBe(request.confirm);
  expect(await run(deleteOrganisation, organisationId)).toEqual({ more: false });
  expect(stripe.account.subscriptions.get('sub_live')).toMatchObject({ status: 'canceled' });
  expect(await findDeletion(api.db, organisationId)).toMatchObject({ finished_at: expect.any(Date) });
  await stripe.close();
});
