import { operator } from '../../../../domain/audit/record.ts';
import { updateSite } from '../../../../domain/organisations/sites.ts';
import { useApi } from '../../../support/api.ts';
import { ask, buildAgent, decideAs } from '../../../support/approvals.ts';
import {
  buildArticle,
  buildKey,
  buildMember,
  buildPublished,
  buildTenant,
  buildTerm,
} from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';
import { carriedOut, sendJob } from '../../../support/bulk.ts';
import { poll, startDeviceSignIn } from '../../../support/device.ts';
import { noise } from '../../../support/images.ts';
import { subscriptionsOf } from '../../../support/subscriptions.ts';
import { registerUpload, uploadBytes } from '../../../support/uploads.ts';

const api = await useApi();
const SOON = '2099-03-01T09:00:00.000Z';
const LATER = '2099-03-02T09:00:00.000Z';

let tenant: Tenant;
let site: ReturnType<typeof subscriptionsOf>;
let key: string;

beforeEach(async () => {
  tenant = await buildTenant(api.db);
  key = tenant.secretKey;
  site = subscriptionsOf(api, tenant);
  await site.subscribe('*');
});

const get = (path: string) => site.must('GET', path);
const post = (path: string, body?: object) => site.must('POST', path, body);
const names = async (...only: string[]) => (await site.recorded(...only)).map(({ event }) => event);

describe('articles', () => {
  const article = () => buildArticle(api, key, { title: `Tea`, content: 'Hot.' });
  const scheduled = (id: string, at: string) =>
    post(`/articles/${id}/schedule`, { scheduled_publish_at: at });

  test('created, scheduled, moved and cancelled, each with the article as it is then', async () => {
    const draft = await article();
    await scheduled(draft.id, SOON);
    const first = await get(`/articles/${draft.id}`);
    await scheduled(draft.id, SOON);
    await scheduled(draft.id, LATER);
    const moved = await get(`/articles/${draft.id}`);
    await post(`/articles/${draft.id}/cancel-schedule`);
    const cancelled = await get(`/articles/${draft.id}`);
    await post(`/articles/${draft.id}/cancel-schedule`);
    expect((await site.recorded()).map(({ event, data }) => [event, data])).toEqual([
      ['article.created', draft],
      ['article.scheduled', first],
      ['article.scheduled', moved],
      ['article.schedule_cancelled', cancelled],
    ]);
  });

  test('publishing early, deleting and changing a scheduled one cancel nothing', async () => {
    const [one, two] = [await article(), await article()];
    await scheduled(one.id, SOON);
    await site.must('PATCH', `/articles/${one.id}`, { title: 'Changed' });
    await post(`/articles/${one.id}/publish`);
    await scheduled(two.id, SOON);
    await site.must('DELETE', `/articles/${two.id}`);
    const { id } = await article();
    await site.must('PATCH', `/articles/${id}`, { title: 'Changed' });
    expect(await names()).toEqual([
      'article.created',
      'article.created',
      'article.scheduled',
      'article.published',
      'article.scheduled',
      'article.deleted',
      'article.created',
    ]);
  });

  test('a refused or repeated creation records nothing more', async () => {
    const { slug } = await article();
    const create = (body: object, idempotencyKey: string | true) =>
      api.request('POST', '/articles', { key, body, idempotencyKey });
    expect((await create({ slug }, true)).status).toBe(409);
    expect((await create({ category_id: tenant.siteId }, true)).status).toBe(422);
    const same = `once-${tenant.siteId}`;
    const [first, again] = [await create({ title: 'Once' }, same), await create({ title: 'Once' }, same)];
    expect(again.data.id).toBe(first.data.id);
    // A derived slug that is taken is made in a transaction.
    const taken = await buildArticle(api, key, { title: 'Once' });
    expect(taken.slug).toBe('once-2');
    expect((await site.recorded()).map(({ data }) => data.slug)).toEqual([slug, 'once', 'once-2']);
  });

  test('created by a run of the pipeline, too', async () => {
    const run = await post('/pipeline/runs', { topics: [{ title: 'Green tea' }, { title: 'Black tea' }] });
    const created = await site.recorded('article.created');
    expect(created.map(({ data }) => [data.title, data.status])).toEqual([
      ['Green tea', 'discovered'],
      ['Black tea', 'discovered'],
    ]);
    expect(created.map(({ data }) => data.id)).toEqual(run.articles.map((one: any) => one.article_id));
  });

  test('scheduled by a bulk job, whose end tells of every item', async () => {
    const [one, two] = [await article(), await article()];
    const none = tenant.siteId;
    const job = await carriedOut(api, tenant, {
      action: 'schedule',
      article_ids: [one.id, none, two.id],
      scheduled_publish_at: SOON,
    });
    expect(await names('article.scheduled', 'bulk_job.finished')).toEqual([
      'article.scheduled',
      'article.scheduled',
      'bulk_job.finished',
    ]);
    const [finished] = await site.recorded('bulk_job.finished');
    expect(finished.data).toEqual(job);
    expect(finished.data.totals).toEqual({ waiting: 0, done: 2, failed: 1 });
  });

  test('the end of a cancelled job is told once', async () => {
    const { id } = await article();
    const { data } = await sendJob(api, key, { action: 'publish', article_ids: [id] });
    const cancelled = await post(`/articles/bulk/${data.id}/cancel`);
    await api.request('POST', `/articles/bulk/${data.id}/cancel`, { key });
    const ended = await site.recorded('bulk_job.finished');
    expect(ended.map((event) => event.data)).toEqual([cancelled]);
  });
});

describe('pending edits', () => {
  let id: string;
  const edit = (body: object) => site.must('PATCH', `/articles/${id}/pending`, body);
  const told = () => site.recorded('pending_edit.created', 'pending_edit.published');

  beforeEach(async () => {
    ({ id } = await buildPublished(api, key, { title: 'Tea', content: 'Hot.' }));
  });

  test('begun, with article_id, and published, with the article', async () => {
    const begun = await edit({ title: 'Green tea' });
    const published = await post(`/articles/${id}/pending/publish`);
    const events = await told();
    expect(events.map(({ event, data }) => [event, data])).toEqual([
      ['pending_edit.created', { article_id: id, ...begun }],
      ['pending_edit.published', published],
    ]);
    expect(await names('article.updated')).toHaveLength(1);
  });

  test('a change, a schedule, and the deletion of one fire nothing; another one is begun', async () => {
    await edit({ title: 'Green tea' });
    await edit({ title: 'Black tea' });
    await post(`/articles/${id}/pending/schedule`, { scheduled_at: SOON });
    await post(`/articles/${id}/pending/cancel-schedule`);
    await site.must('DELETE', `/articles/${id}/pending`);
    await edit({ title: 'White tea' });
    await post(`/articles/${id}/unpublish`);
    expect((await told()).map(({ event }) => event)).toEqual([
      'pending_edit.created',
      'pending_edit.created',
    ]);
  });

  test('one without an effect is not published but gone', async () => {
    await edit({ title: 'Green tea' });
    await edit({ title: 'Tea' });
    await post(`/articles/${id}/pending/publish`);
    expect((await told()).map(({ event }) => event)).toEqual(['pending_edit.created']);
  });
});

test('reviews: asked for, and decided, each with the review; a withdrawn one is not decided', async () => {
  const { id } = await buildArticle(api, key, { title: 'Tea', content: 'Hot.' });
  const path = `/articles/${id}/review`;
  const other = (
    await buildKey(api.db, tenant.siteId, await buildMember(api.db, tenant.organisationId, 'editor'))
  ).secret;
  const decide = async (way: string, body?: object) =>
    (await api.request('POST', `${path}/${way}`, { key: other, body })).data;
  const asked = [
    await post(path),
    await decide('request-changes', { note: 'Shorter.' }),
    await post(path),
    await decide('approve'),
  ];
  await post(path);
  await site.must('DELETE', path);
  const told = await site.recorded('review.requested', 'review.decided');
  expect(told.map(({ event }) => event)).toEqual([
    'review.requested',
    'review.decided',
    'review.requested',
    'review.decided',
    'review.requested',
  ]);
  expect(told.slice(0, 4).map(({ data }) => data)).toEqual(asked);
});

describe('terms', () => {
  test.each([
    ['categories', 'category'],
    ['tags', 'tag'],
    ['authors', 'author'],
  ] as const)('%s: created, changed and deleted', async (path, noun) => {
    const created = await buildTerm(api, key, path);
    await buildPublished(
      api,
      key,
      noun === 'tag' ? { tag_ids: [created.id] } : { [`${noun}_id`]: created.id },
    );
    const changed = await site.must('PATCH', `/${path}/${created.id}`, { name: 'Another' });
    await site.must('PATCH', `/${path}/${created.id}`, { name: 'Another' });
    await site.must('DELETE', `/${path}/${created.id}`);
    const events = await site.recorded(`${noun}.created`, `${noun}.updated`, `${noun}.deleted`);
    expect(events.map(({ event, data }) => [event, data])).toEqual([
      [`${noun}.created`, created],
      [`${noun}.updated`, changed],
      [`${noun}.deleted`, { id: created.id }],
    ]);
    expect(changed.article_count).toBe(1);
  });
});

test('media: added, described and deleted', async () => {
  const upload = await uploadBytes(api, key, await noise(8, 8).jpeg().toBuffer());
  const { data: created } = await registerUpload(api, key, upload);
  const changed = await site.must('PATCH', `/media/${created.id}`, { alt_text: 'Noise' });
  await site.must('PATCH', `/media/${created.id}`, { alt_text: 'Noise' });
  await site.must('DELETE', `/media/${created.id}`);
  expect((await site.recorded()).map(({ event, data }) => [event, data])).toEqual([
    ['media.created', created],
    ['media.updated', changed],
    ['media.deleted', { id: created.id }],
  ]);
});

test('the Site: changed by PATCH, and its time zone by an operator', async () => {
  const changed = await site.must('PATCH', '/site', { name: 'Tea & more' });
  await site.must('PATCH', '/site', { name: 'Tea & more' });
  const origin = new URL(changed.public_base_url).origin;
  await api.db.transaction((tx) =>
    updateSite({ tx, actor: operator, now: new Date() }, tenant.siteId, origin, { timezone: 'Asia/Tokyo' }),
  );
  await api.db.transaction((tx) =>
    updateSite({ tx, actor: operator, now: new Date() }, tenant.siteId, origin, { spendCap: 3 }),
  );
  const events = await site.recorded('site.updated');
  expect(events.map(({ data }) => data)).toEqual([changed, await get('/site')]);
});

test('approvals: asked for and decided, without the body of the request', async () => {
  const agent = await buildAgent(api, tenant);
  const requests = ['approve', 'deny'] as const;
  const shown = [];
  for (const verb of requests) {
    const options = { body: { author_email: 'ada@example.com' } };
    const id = await ask(api, agent.secret, { method: 'POST', path: '/comments/erase', options });
    const { body: _, target: __, ...asked } = await get(`/approvals/${id}`);
    shown.push(['approval.requested', asked]);
    shown.push(['approval.decided', (await decideAs(api, key, id, verb)).data.approval]);
    await decideAs(api, key, id, verb);
  }
  const events = await site.recorded('approval.requested', 'approval.decided');
  expect(events.map(({ event, data }) => [event, data])).toEqual(shown);
  expect(JSON.stringify(events)).not.toContain('ada@example.com');
});

describe('keys', () => {
  const told = () => site.recorded('key.created', 'key.revoked');

  test('created and revoked by the API and by an operator, without a secret', async () => {
    const made = await post('/keys', { name: 'Feed', kind: 'secret', scopes: ['articles:read'] });
    await site.must('DELETE', `/keys/${made.id}`);
    await site.must('DELETE', `/keys/${made.id}`);
    const byOperator = await buildKey(api.db, tenant.siteId, tenant.memberId);
    const events = await told();
    expect(events.map(({ event, data }) => [event, data.id])).toEqual([
      ['key.created', made.id],
      ['key.revoked', made.id],
      ['key.created', byOperator.id],
    ]);
    const { secret, secret_replayable: _, ...shown } = made;
    expect(events[0].data).toEqual(shown);
    expect(events[1].data).toEqual({ ...shown, revoked_at: expect.any(String) });
    expect(JSON.stringify(events)).not.toContain(secret);
  });

  test('created by a device, once; a rotation creates and revokes nothing', async () => {
    const started = await startDeviceSignIn(api);
    await post('/auth/device/approve', { user_code: started.user_code });
    const { data } = await poll(api, started);
    await poll(api, started);
    expect(data.key.secret).toEqual(expect.any(String));
    await post(`/keys/${data.key.id}/rotate`, { grace_seconds: 0 });
    expect((await told()).map(({ event, data: { id } }) => [event, id])).toEqual([
      ['key.created', data.key.id],
    ]);
  });
});
