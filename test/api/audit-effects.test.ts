import { publishDueArticle } from '../../domain/publication/publish-due.ts';
import { useApi } from '../support/api.ts';
import type { Answer } from '../support/api.ts';
import { approved, buildAgent, sendAs } from '../support/approvals.ts';
import { buildArticle, buildKey, buildMember, buildPublished, buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';

const api = await useApi();
let tenant: Tenant;

beforeEach(async () => {
  tenant = await buildTenant(api.db);
});

const call = async (
  method: string,
  path: string,
  body?: unknown,
  idempotencyKey: string | true = true,
): Promise<Answer> => {
  const answer = await api.request(method, path, { key: tenant.secretKey, body, idempotencyKey });
  expect({ status: answer.status < 300, text: answer.text }).toMatchObject({ status: true });
  return answer;
};

/** The rows that some work adds to the Site's log, oldest first. */
async function rowsOf(work: () => Promise<unknown>): Promise<any[]> {
  const log = () => api.request('GET', '/audit-log?limit=100', { key: tenant.secretKey });
  const before = new Set((await log()).data.items.map(({ id }: { id: string }) => id));
  await work();
  return (await log()).data.items.filter(({ id }: { id: string }) => !before.has(id)).toReversed();
}
const shortly = (rows: any[]): any[] => rows.map(({ action, details }) => [action, details]);

describe('without an effect there is no row:', () => {
  const webhook = { url: 'https://receiver.example/hooks', events: ['article.published'] };
  const twice =
    (prepare: () => Promise<string>, method: string, of: (id: string) => string, body?: object) =>
    async (): Promise<() => Promise<unknown>> => {
      const id = await prepare();
      await call(method, of(id), body);
      return () => call(method, of(id), body);
    };
  const article = async () =>
    (await buildArticle(api, tenant.secretKey, { title: 'A title', content: 'Text.' })).id as string;
  const created = (path: string, body: object) => async () =>
    (await call('POST', path, body)).data.id as string;
  const key = async () => (await buildKey(api.db, tenant.siteId, tenant.memberId)).id;

  const scheduling = { scheduled_publish_at: '2999-01-01T00:00:00Z' };
  const cases: Record<string, () => Promise<() => Promise<unknown>>> = {
    'a title that is the same': twice(article, 'PATCH', (id) => `/articles/${id}`, { title: 'Another' }),
    'a second publication': twice(article, 'POST', (id) => `/articles/${id}/publish`),
    'a draft that is unpublished': async () => {
      const id = await article();
      return () => call('POST', `/articles/${id}/unpublish`);
    },
    'the same time once more': twice(article, 'POST', (id) => `/articles/${id}/schedule`, scheduling),
    'a draft that has no schedule': async () => {
      const id = await article();
      return () => call('POST', `/articles/${id}/cancel-schedule`);
    },
    'a restore of what the article is': async () => {
      const id = await article();
      return () => call('POST', `/articles/${id}/revisions/1/restore`);
    },
    'a name that is the same': twice(created('/tags', { name: 'A tag' }), 'PATCH', (id) => `/tags/${id}`, {
      name: 'Other',
    }),
    'a second revocation': twice(key, 'DELETE', (id) => `/keys/${id}`),
    'an endpoint that stays as it is': twice(
      created('/webhooks', webhook),
      'PATCH',
      (id) => `/webhooks/${id}`,
      { enabled: false },
    ),
    'a replay that finds nothing': async () => {
      const id = await created('/webhooks', webhook)();
      return () => call('POST', `/webhooks/${id}/replay`, { since: '2020-01-01T00:00:00Z' });
    },
    'settings that are the same': twice(
      async () => '',
      'PATCH',
      () => '/comments/settings',
      { enabled: true },
    ),
    'a role that is the same': twice(
      () => buildMember(api.db, tenant.organisationId, 'editor'),
      'PATCH',
      (id) => `/team/${id}`,
      { role: 'author' },
    ),
    'an organisation that keeps its name': twice(
      async () => '',
      'PATCH',
      () => '/organisation',
      { name: 'A name' },
    ),
    'a run that is being cancelled': twice(
      async () => {
        const id = await created('/pipeline/runs', { topics: [{ title: 'How to bake a cake' }] })();
        await api.db.pool.query(`update pipeline_runs set status = 'running' where id = $1`, [id]);
        return id;
      },
      'POST',
      (id) => `/pipeline/runs/${id}/cancel`,
    ),
  };

  test.each(Object.entries(cases))('%s', async (_name, prepare) => {
    const work = await prepare();
    expect(shortly(await rowsOf(work))).toEqual([]);
  });

  test.each<[string, string, object]>([
    ['POST', '/articles', { title: 'Once' }],
    ['POST', '/categories', { name: 'Once' }],
    ['POST', '/keys', { name: 'Once', kind: 'secret', scopes: ['articles:read'] }],
    ['POST', '/webhooks', webhook],
  ])('a replay of an idempotency key: %s %s', async (method, path, body) => {
    const rows = await rowsOf(async () => {
      const first = await call(method, path, body, 'the-same');
      const again = await call(method, path, body, 'the-same');
      expect([again.headers.get('idempotency-replayed'), again.data.id]).toEqual(['true', first.data.id]);
    });
    expect(rows).toHaveLength(1);
  });
});

describe('an article', () => {
  test('has a row with what changed, before and after, and with the length of long values', async () => {
    const { id } = (await call('POST', '/articles', { title: 'One', content: '🙂'.repeat(201) })).data;
    const edited = { title: 'Two', content: 'x'.repeat(200), seo_keywords: ['y'.repeat(300)], excerpt: 'E' };
    const rows = await rowsOf(async () => {
      await call('PATCH', `/articles/${id}`, edited);
      await call('PATCH', `/articles/${id}`, { excerpt: null, title: 'Two' });
      await call('POST', `/articles/${id}/schedule`, { scheduled_publish_at: '2999-01-01T00:00:00Z' });
      await call('POST', `/articles/${id}/cancel-schedule`);
      await call('POST', `/articles/${id}/publish`, { published_at: '2020-01-01T00:00:00Z' });
      await call('POST', `/articles/${id}/unpublish`);
      await call('DELETE', `/articles/${id}`);
    });
    const keywords = JSON.stringify(edited.seo_keywords).length;
    expect(shortly(rows)).toEqual([
      [
        'article.update',
        {
          title: { before: 'One', after: 'Two' },
          content: { before: 201, after: 'x'.repeat(200) },
          excerpt: { before: null, after: 'E' },
          seo_keywords: { before: null, after: keywords },
        },
      ],
      ['article.update', { excerpt: { before: 'E', after: null } }],
      [
        'article.schedule',
        {
          status: { before: 'draft', after: 'scheduled' },
          scheduled_publish_at: { before: null, after: '2999-01-01T00:00:00.000Z' },
        },
      ],
      [
        'article.cancel_schedule',
        {
          status: { before: 'scheduled', after: 'draft' },
          scheduled_publish_at: { before: '2999-01-01T00:00:00.000Z', after: null },
        },
      ],
      [
        'article.publish',
        {
          status: { before: 'draft', after: 'published' },
          published_at: { before: null, after: '2020-01-01T00:00:00.000Z' },
        },
      ],
      ['article.unpublish', { status: { before: 'published', after: 'draft' } }],
      ['article.delete', { title: 'Two', slug: 'one', status: 'draft', comments: 0 }],
    ]);
    for (const { target } of rows) expect(target).toEqual({ type: 'article', id });
  });

  test('that is changed concurrently has a row for each change, with its own request', async () => {
    const { id } = (await call('POST', '/articles', { title: 'One' })).data;
    const requests: (string | null)[] = [];
    const rows = await rowsOf(() =>
      Promise.all(
        Array.from({ length: 8 }, async (_, number) => {
          const answer = await call('PATCH', `/articles/${id}`, { excerpt: `Text ${number}` });
          requests.push(answer.headers.get('request-id'));
        }),
      ),
    );
    expect(rows.map((row) => row.request_id).toSorted()).toEqual(requests.toSorted());
    // They form a chain: each starts where another ended.
    const befores = rows.map(({ details }) => details.excerpt.before).toSorted();
    const afters = rows.map(({ details }) => details.excerpt.after);
    const last = (await call('GET', `/articles/${id}`)).data.excerpt;
    expect(befores).toEqual([null, ...afters.filter((after) => after !== last)].toSorted());
  });

  test('created concurrently has one row each, even if its derived slug is taken', async () => {
    const ids: string[] = [];
    const rows = await rowsOf(() =>
      Promise.all(
        Array.from({ length: 6 }, async () =>
          ids.push((await call('POST', '/articles', { title: 'Same' })).data.id),
        ),
      ),
    );
    expect(rows.map(({ target }) => target.id).toSorted()).toEqual(ids.toSorted());
    const slugs = rows.map(({ details }) => details.slug).toSorted();
    expect(slugs).toEqual(['same', 'same-2', 'same-3', 'same-4', 'same-5', 'same-6']);
  });

  test('published by its schedule only has the row of its scheduling', async () => {
    const { id } = await buildArticle(api, tenant.secretKey, { title: 'One', content: 'Text.' });
    await call('POST', `/articles/${id}/schedule`, { scheduled_publish_at: '2999-01-01T00:00:00Z' });
    const rows = await rowsOf(() =>
      api.db.transaction((tx) =>
        publishDueArticle(tx, { db: api.db, purger: null }, id, new Date('2999-01-01T00:00:01Z')),
      ),
    );
    expect((await call('GET', `/articles/${id}`)).data.status).toBe('published');
    expect(rows).toEqual([]);
  });
});

test('rows of an endpoint have its host, its events and whether it is enabled, and nothing else of its URL', async () => {
  const url = 'https://one.example/hooks/SECRET-PATH?token=SECRET-QUERY';
  const rows = await rowsOf(async () => {
    const { id } = (await call('POST', '/webhooks', { url, events: ['article.published'] })).data;
    await call('PATCH', `/webhooks/${id}`, { url: 'https://two.example:8443/SECRET-PATH' });
    await call('PATCH', `/webhooks/${id}`, { url: 'https://two.example:8443/SECRET-OTHER' });
    await call('PATCH', `/webhooks/${id}`, { events: ['article.deleted'], enabled: false });
    await call('POST', `/webhooks/${id}/rotate-secret`);
    await call('DELETE', `/webhooks/${id}`);
  });
  const events = { before: ['article.published'], after: ['article.deleted'] };
  expect(shortly(rows)).toEqual([
    ['webhook.create', { host: 'one.example', events: ['article.published'], enabled: true }],
    ['webhook.update', { host: { before: 'one.example', after: 'two.example:8443' } }],
    ['webhook.update', { host: { before: 'two.example:8443', after: 'two.example:8443' } }],
    ['webhook.disable', { events, enabled: { before: true, after: false } }],
    ['webhook.rotate_secret', { host: 'two.example:8443' }],
    ['webhook.delete', { host: 'two.example:8443', events: ['article.deleted'], enabled: false }],
  ]);
  expect(JSON.stringify(rows)).not.toContain('SECRET');
});

test('an approval has a row when it is requested, decided and used, each with its actor', async () => {
  const agent = await buildAgent(api, tenant);
  const { id } = await buildPublished(api, tenant.secretKey);
  const request = { method: 'DELETE', path: `/articles/${id}`, options: {} };
  let approval = '';
  const rows = await rowsOf(async () => {
    approval = await approved(api, tenant, agent.secret, request);
    expect((await sendAs(api, agent.secret, request, approval)).status).toBe(204);
    // Refused: it has been used.
    expect((await sendAs(api, agent.secret, request, approval)).status).toBe(404);
  });
  const about = { action: 'article.delete', method: 'DELETE', path: request.path };
  const target = { type: 'approval', id: approval };
  const row = (action: string) => rows.find((one) => one.action === action);
  expect(rows.map(({ action }) => action).toSorted()).toEqual([
    'approval.approve',
    'approval.ask',
    'approval.use',
    'article.delete',
  ]);
  const byAgent = { target, details: about, actor: { kind: 'key', id: agent.id } };
  expect([row('approval.ask'), row('approval.use')]).toMatchObject([byAgent, byAgent]);
  expect(row('approval.approve')).toMatchObject({ target, details: { ...about, requested_by: agent.id } });
  expect(row('approval.approve').actor.id).not.toBe(agent.id);
  expect(row('article.delete').request_id).toBe(row('approval.use').request_id);
});

test('the client’s Request-Id is in the row', async () => {
  const headers = { 'Request-Id': 'my-own_1' };
  const rows = await rowsOf(() =>
    api.request('POST', '/tags', {
      key: tenant.secretKey,
      body: { name: 'A tag' },
      idempotencyKey: true,
      headers,
    }),
  );
  expect(rows).toMatchObject([{ action: 'tag.create', request_id: 'my-own_1', details: { name: 'A tag' } }]);
});
