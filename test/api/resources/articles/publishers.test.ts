import { useApi } from '../../../support/api.ts';
import type { Answer } from '../../../support/api.ts';
import {
  buildArticle,
  buildKey,
  buildMember,
  buildPublished,
  buildTenant,
} from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';
import { readJob, sendJob, work } from '../../../support/bulk.ts';

const api = await useApi();
let tenant: Tenant;
let contributor: string;
/** An owner's, for drafts only. */
let drafts: string;

beforeEach(async () => {
  tenant = await buildTenant(api.db);
  const memberId = await buildMember(api.db, tenant.organisationId, 'contributor');
  contributor = (await buildKey(api.db, tenant.siteId, memberId)).secret;
  drafts = (await buildKey(api.db, tenant.siteId, tenant.memberId, { draftsOnly: true })).secret;
});

const owner = (method: string, path: string, body?: object): Promise<Answer> =>
  api.request(method, path, { key: tenant.secretKey, body });
const call = (method: string, path: string, body?: object, key = contributor): Promise<Answer> =>
  api.request(method, path, { key, body });
const agentOf = async (role: 'contributor' | 'editor'): Promise<string> => {
  const memberId = await buildMember(api.db, tenant.organisationId, role);
  return (await buildKey(api.db, tenant.siteId, memberId, { heldByAgent: true })).secret;
};

const later = '2099-01-01T10:00:00Z';
const whole = { title: 'Bread', slug: 'bread', content: 'Flour.' };

/** Articles in each state, by the owner. */
const states = {
  draft: async () => (await buildArticle(api, tenant.secretKey, whole)).id as string,
  published: async () => (await buildPublished(api, tenant.secretKey, whole)).id as string,
  async scheduled() {
    const id = await states.draft();
    await owner('POST', `/articles/${id}/schedule`, { scheduled_publish_at: later });
    return id;
  },
  async edited() {
    const id = await states.published();
    await owner('PATCH', `/articles/${id}/pending`, { title: 'Better bread' });
    return id;
  },
  async editScheduled() {
    const id = await states.edited();
    await owner('POST', `/articles/${id}/pending/schedule`, { scheduled_at: later });
    return id;
  },
} as const;
type State = keyof typeof states;

type Row = readonly [method: string, path: string, body: object | undefined, refusedFor: readonly State[]];
const every: readonly State[] = ['draft', 'published', 'scheduled', 'edited', 'editScheduled'];
const shown: readonly State[] = ['published', 'scheduled', 'edited', 'editScheduled'];
const withEdit: readonly State[] = ['edited', 'editScheduled'];

/** Who lacks articles.publish is refused these, whether or not they would have an effect. */
const rows: readonly Row[] = [
  ['POST', '/publish', undefined, every],
  ['POST', '/unpublish', undefined, every],
  ['POST', '/schedule', { scheduled_publish_at: later }, every],
  ['POST', '/cancel-schedule', undefined, every],
  ['PATCH', '', { title: 'Mine' }, shown],
  ['PATCH', '', {}, shown],
  ['POST', '/revisions/1/restore', undefined, shown],
  ['DELETE', '', undefined, shown],
  ['POST', '/pending/publish', undefined, withEdit],
  ['POST', '/pending/schedule', { scheduled_at: later }, withEdit],
  ['POST', '/pending/cancel-schedule', undefined, withEdit],
  ['PATCH', '/pending', { title: 'Mine' }, ['editScheduled']],
  ['DELETE', '/pending', undefined, ['editScheduled']],
];

const stored = async (id: string): Promise<unknown> => [
  (await owner('GET', `/articles/${id}`)).text,
  (await owner('GET', `/articles/${id}/pending`)).text,
];

describe.each(every)('of an article that is %s, a contributor and a key for drafts', (state) => {
  test.each(rows.filter(([, , , refused]) => refused.includes(state)))(
    'may not %s %s %p',
    async (method, path, body) => {
      const id = await states[state]();
      const before = JSON.parse(JSON.stringify(await stored(id)));
      const isEditOfPublished =
        state !== 'scheduled' && (method === 'PATCH' || path.endsWith('/restore')) && path !== '/pending';
      for (const key of [contributor, drafts]) {
        const answer = await call(method, `/articles/${id}${path}`, body, key);
        expect([answer.status, answer.json.error?.code]).toEqual([403, 'INSUFFICIENT_SCOPE']);
        expect(answer.json.error.message).toContain('articles.publish');
        expect(answer.json.error.message.includes('PATCH /articles/{id}/pending')).toBe(isEditOfPublished);
      }
      const bare = (texts: any) => texts.map((text: string) => text.replace(/"request_id":"[^"]*"/, ''));
      expect(bare(await stored(id))).toEqual(bare(before));
    },
  );
});

const open = every.flatMap((state) =>
  rows.flatMap(([method, path, body, refused]) =>
    refused.includes(state) ? [] : [[state, method, path, body] as const],
  ),
);

test.each(open)(
  'of an article that is %s, a contributor is not kept from %s %s',
  async (state, method, path, body) => {
    const id = await states[state]();
    for (const key of [contributor, drafts]) {
      const answer = await call(method, `/articles/${id}${path}`, body, key);
      expect(answer.status).not.toBe(403);
      expect(answer.status).toBeLessThan(500);
    }
  },
);

test('an article that does not exist is 404 before anybody is told of a right', async () => {
  const nowhere = '0197a0c4-5c1e-7d30-9b64-2f1f0d3c8a11';
  expect((await call('POST', `/articles/${nowhere}/publish`)).status).toBe(404);
  const id = await states.published();
  expect((await call('POST', `/articles/${id}/revisions/999/restore`)).status).toBe(404);
  expect((await call('POST', `/articles/${id}/pending/publish`)).status).toBe(404);
});

test('an agent of a contributor is refused before a person is asked', async () => {
  const agent = await agentOf('contributor');
  await owner('PATCH', '/organisation', {
    approval_operations: ['article.delete', 'article.publish', 'article.update_published'],
  });
  const id = await states.published();
  for (const [method, path, body] of [
    ['DELETE', '', undefined],
    ['POST', '/publish', undefined],
    ['PATCH', '', { title: 'Mine' }],
    ['POST', '/revisions/1/restore', undefined],
  ] as const) {
    const answer = await call(method, `/articles/${id}${path}`, body, agent);
    expect([answer.status, answer.json.error?.code]).toEqual([403, 'INSUFFICIENT_SCOPE']);
  }
  expect((await owner('GET', '/approvals')).data.items).toEqual([]);
  const draft = await buildArticle(api, tenant.secretKey);
  expect((await call('DELETE', `/articles/${draft.id}`, undefined, agent)).status).toBe(202);
  expect((await call('POST', `/articles/${id}/unpublish`, undefined, await agentOf('editor'))).status).toBe(
    200,
  );
});

test.each([
  [{ action: 'publish' }, ['draft', 'published', 'scheduled']],
  [{ action: 'unpublish' }, ['draft', 'published', 'scheduled']],
  [{ action: 'schedule', scheduled_publish_at: later }, ['draft', 'published', 'scheduled']],
  [{ action: 'delete' }, ['published', 'scheduled']],
  [{ action: 'set_author', author_id: null }, ['published', 'scheduled']],
  [{ action: 'set_category', category_id: null }, ['published', 'scheduled']],
  [{ action: 'add_tags', tag_ids: [] }, ['published', 'scheduled']],
  [{ action: 'remove_tags', tag_ids: [] }, ['published', 'scheduled']],
] as const)('of a contributor’s job %p, items fail for %p', async (job, refused) => {
  const tag = (await owner('POST', '/tags', { name: 'Rye', slug: 'rye' })).data.id;
  const body = 'tag_ids' in job ? { ...job, tag_ids: [tag] } : job;
  const of = ['draft', 'published', 'scheduled'] as const;
  const ids: string[] = [];
  for (const [index, state] of of.entries()) {
    const id = (await buildArticle(api, tenant.secretKey, { ...whole, slug: `bread-${index}` })).id as string;
    if (state === 'published') await owner('POST', `/articles/${id}/publish`);
    if (state === 'scheduled')
      await owner('POST', `/articles/${id}/schedule`, { scheduled_publish_at: later });
    ids.push(id);
  }
  const { status, data } = await sendJob(api, contributor, { ...body, article_ids: ids });
  expect(status).toBe(202);
  await work(api, tenant.siteId, data.id);
  const { items } = await readJob(api, tenant.secretKey, data.id);
  const failed = items.flatMap(({ error }: any, index: number) =>
    error?.code === 'INSUFFICIENT_SCOPE' ? [of[index]] : [],
  );
  expect(failed).toEqual(refused);
});

test('no edit of a draft slips through while it is published', async () => {
  for (let round = 0; round < 10; round += 1) {
    const id = (await buildArticle(api, tenant.secretKey, { ...whole, slug: `race-${round}` })).id as string;
    const [published, ...edits] = await Promise.all([
      owner('POST', `/articles/${id}/publish`),
      ...Array.from({ length: 4 }, (_, n) => call('PATCH', `/articles/${id}`, { excerpt: `Edit ${n}` })),
    ]);
    expect(published?.status).toBe(200);
    // Each edit that was let through stands in the version that was published, or was refused.
    const accepted = edits.filter(({ status }) => status === 200);
    expect(edits.every(({ status }) => status === 200 || status === 403)).toBe(true);
    for (const { data } of accepted) expect(data.status).toBe('draft');
  }
});
