import { MockActivityEnvironment } from '@temporalio/testing';
import { createPipelineRunActivities } from '../../activities/pipeline-run.ts';
import { createSeoScanActivities } from '../../activities/seo-scan.ts';
import type { ScanKinds } from '../../domain/seo/scan-kind.ts';
import { createCmsPushActivities } from '../../activities/cms-push.ts';
import { offlineWriter } from '../../adapters/writer/offline/writer.ts';
import { systemClock } from '../../domain/kernel/clock.ts';
import { removeMember, changeRole } from '../../domain/organisations/organisations.ts';
import { operator } from '../../domain/audit/record.ts';
import { useApi } from '../support/api.ts';
import { buildArticle, buildKey, buildMember, buildPublished, buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { readJob, sendJob, work } from '../support/bulk.ts';
import { connectionWrite } from '../support/connection-write.ts';
import { noSources } from '../support/pipeline.ts';
import { silent } from '../support/temporal.ts';

const api = await useApi();
let tenant: Tenant;
/** An editor's, that an agent holds and that may do everything by itself. */
let key: { readonly id: string; readonly secret: string };
let memberId: string;

beforeEach(async () => {
  tenant = await buildTenant(api.db);
  memberId = await buildMember(api.db, tenant.organisationId, 'editor');
  key = await buildKey(api.db, tenant.siteId, memberId, { heldByAgent: true });
  await owner('PATCH', '/organisation', { approval_operations: [] });
});

const send = async (by: string, method: string, path: string, body?: object) => {
  const answer = await api.request(method, path, { key: by, body, idempotencyKey: true });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
  return answer.data;
};
const owner = (method: string, path: string, body?: object) => send(tenant.secretKey, method, path, body);
const agent = (method: string, path: string, body?: object) => send(key.secret, method, path, body);
const act = (change: (act: { tx: any; actor: typeof operator; now: Date }) => Promise<void>) =>
  api.db.transaction((tx) => change({ tx, actor: operator, now: new Date() }));

const run = <Args extends readonly unknown[], Result>(
  activity: (...args: Args) => Promise<Result>,
  ...args: Args
): Promise<Result> => new MockActivityEnvironment().run(activity as any, ...args) as Promise<Result>;

const ways: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['its key was revoked', () => owner('DELETE', `/keys/${key.id}`)],
  [
    'its key has expired',
    () => api.db.pool.query('update api_keys set expires_at = now() where id = $1', [key.id]),
  ],
  ['its person was removed', () => act((by) => removeMember(by, memberId))],
  ['its person lost the right', () => act((by) => changeRole(by, memberId, 'viewer'))],
  ['agents have no access', () => owner('PATCH', '/organisation', { agent_access: false })],
];

describe.each(ways)('once %s', (_name, end) => {
  test('the items of a bulk job fail, those of others do not', async () => {
    const mine = (await buildArticle(api, key.secret, { title: 'Mine' })).id;
    const theirs = (await buildArticle(api, tenant.secretKey, { title: 'Theirs' })).id;
    const { data: job } = await sendJob(api, key.secret, { action: 'delete', article_ids: [mine] });
    const { data: other } = await sendJob(api, tenant.secretKey, { action: 'delete', article_ids: [theirs] });
    await end();
    for (const { id } of [job, other]) await work(api, tenant.siteId, id);
    const { status, items } = await readJob(api, tenant.secretKey, job.id);
    expect([status, items]).toMatchObject([
      'completed',
      [{ status: 'failed', error: { code: 'INSUFFICIENT_SCOPE' } }],
    ]);
    expect((await readJob(api, tenant.secretKey, other.id)).items).toMatchObject([{ status: 'done' }]);
    expect((await owner('GET', `/articles/${mine}`)).title).toBe('Mine');
  });

  test('a run ends at its next stage, before anything is paid', async () => {
    const { id } = await agent('POST', '/pipeline/runs', { topics: [{ title: 'How to bake bread' }] });
    const activities = createPipelineRunActivities({
      db: api.db,
      clock: systemClock,
      log: silent,
      writer: offlineWriter,
      sources: noSources,
      jobProcesses: null as never,
    });
    const begun = await run(activities.beginPipelineRun, tenant.siteId, id);
    await end();
    const [first] = begun?.articles ?? [];
    const of = { runId: id, siteId: tenant.siteId, articleId: first?.articleId as string };
    expect(await run(activities.advanceArticle, of)).toEqual({ kind: 'stopped', reason: 'cancelled' });
    expect(await run(activities.endPipelineRun, tenant.siteId, id, 'cancelled')).toBe('cancelled');
    expect((await owner('GET', `/pipeline/runs/${id}`)).credits_spent).toBe(0);
  });

  test('a scan ends, whether it is planned or not', async () => {
    await buildPublished(api, tenant.secretKey);
    const { id } = await agent('POST', '/seo/scans/on-page');
    const page = { key: 'a', url: null, articleId: null, memo: {}, examine: true };
    const kind = { name: 'on-page', plan: async () => ({ targets: [page], next: null }), examine: unreached };
    const activities = createSeoScanActivities({
      db: api.db,
      clock: systemClock,
      log: silent,
      kinds: { 'on-page': kind } as unknown as ScanKinds,
    });
    const { id: unplanned } = await agent('POST', '/seo/scans/on-page');
    for (const each of [id, unplanned]) await run(activities.beginSeoScan, each);
    await run(activities.scanFurther, tenant.siteId, id);
    await end();
    for (const each of [id, unplanned]) {
      const step = await run(activities.scanFurther, tenant.siteId, each);
      expect(step).toEqual({ kind: 'stopped', reason: 'cancelled' });
      expect(await run(activities.endSeoScan, each, 'cancelled')).toBe('cancelled');
    }
  });

  test('the items of a push fail, and nothing is sent', async () => {
    const { id: connection } = await owner('POST', '/delivery/connections', connectionWrite);
    const { id: article } = await buildPublished(api, tenant.secretKey);
    const push = await agent('POST', '/delivery/cms/push', {
      connection_id: connection,
      article_ids: [article],
    });
    await end();
    const { pushDue } = createCmsPushActivities({
      db: api.db,
      clock: systemClock,
      log: silent,
      box: null as never,
      objects: null as never,
      retryDelays: [],
      adapters: { http: { batch: 10, push: unreached } } as never,
    });
    await run(pushDue, connection);
    const { items, finished_at: finished } = await owner('GET', `/delivery/pushes/${push.id}`);
    expect(items).toMatchObject([{ status: 'failed', error: expect.stringContaining('INSUFFICIENT_SCOPE') }]);
    expect(finished).not.toBeNull();
    const { items: told } = await owner('GET', '/notifications?limit=100');
    expect(told.filter(({ kind }: { kind: string }) => kind === 'push.failed')).toMatchObject([
      { target: { type: 'push', id: push.id } },
    ]);
  });

  test('a preview link that it made shows nothing, is not listed and cannot be deleted', async () => {
    const { id } = await buildArticle(api, tenant.secretKey, { title: 'Shown' });
    const path = `/articles/${id}/preview-links`;
    const mine = await agent('POST', path, {});
    const theirs = await owner('POST', path, {});
    const shows = async ({ url }: { url: string }) =>
      (await fetch(new URL(new URL(url).pathname, api.origin), { redirect: 'manual' })).status;
    expect([await shows(mine), await shows(theirs)]).toEqual([200, 200]);
    await end();
    expect([await shows(mine), await shows(theirs)]).toEqual([404, 200]);
    const { items } = await owner('GET', path);
    expect(items.map((link: { id: string }) => link.id)).toEqual([theirs.id]);
    const deletion = await api.request('DELETE', `${path}/${mine.id}`, { key: tenant.secretKey });
    expect(deletion.status).toBe(404);
  });
});

test('what a dashboard began goes on after its person has signed out, and ends with their membership', async () => {
  const session = '00000000-0000-7000-8000-000000000001';
  const dashboard = await buildKey(api.db, tenant.siteId, memberId);
  await api.db.pool.query('update api_keys set session_id = $2 where id = $1', [dashboard.id, session]);
  const articles = await Promise.all(
    [1, 2].map(() => buildArticle(api, tenant.secretKey, { title: 'Draft' })),
  );
  const jobs = await Promise.all(
    articles.map(({ id }) => sendJob(api, dashboard.secret, { action: 'delete', article_ids: [id] })),
  );
  await api.db.pool.query('update api_keys set revoked_at = now() where id = $1', [dashboard.id]);
  const done = async (index: number) => {
    const id = jobs[index]?.data.id as string;
    await work(api, tenant.siteId, id);
    return (await readJob(api, tenant.secretKey, id)).totals.done;
  };
  expect(await done(0)).toBe(1);
  await act((by) => removeMember(by, memberId));
  expect(await done(1)).toBe(0);
});

const unreached = (): never => {
  throw new Error('this was not to be reached');
};
