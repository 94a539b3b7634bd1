import { readFileSync } from 'node:fs';
import { pipelineStatuses } from '../../../../domain/articles/row.ts';
import type { Article, ArticleStatus } from '../../../../domain/articles/row.ts';
import { generated, improved, judged, extracted, planned } from '../../../../domain/pipeline/results.ts';
import { nextStage, stages } from '../../../../domain/pipeline/stages.ts';
import type { Stage } from '../../../../domain/pipeline/stages.ts';
import type { StageResult, Step } from '../../../../domain/pipeline/stage-result.ts';
import type { Draft, Revision } from '../../../../domain/pipeline/writer.ts';
import { useApi } from '../../../support/api.ts';
import { buildArticle } from '../../../support/builders.ts';
import { asset } from '../../../support/home.ts';
import type { Home } from '../../../support/home.ts';
import { buildPurse, startRun, topics } from '../../../support/pipeline.ts';
import type { Purse } from '../../../support/pipeline.ts';

const api = await useApi();
let purse: Purse;
// Each test has a key of its own: ten runs and requeues a minute are few.
beforeEach(async () => {
  purse = await buildPurse(api, 1_000);
});

/** The table of domain/pipeline/README.md. */
const readme = readFileSync(new URL('../../../../domain/pipeline/README.md', import.meta.url), 'utf8');
const cells = readme
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
const codes = (cell = ''): string[] => [...cell.matchAll(/`([a-z_]+)`/g)].map(([, name]) => name as string);
const table = cells.map(([status, does, becomes, set, cleared, published, requeued, rejected]) => ({
  status: codes(status)[0] as ArticleStatus,
  does: codes(does),
  becomes: codes(becomes),
  set: codes(set)[0],
  cleared: codes(cleared)[0],
  published: published === 'yes',
  requeued: requeued ?? '',
  rejected: codes(rejected)[0],
}));

const call = (method: string, path: string, body?: object) =>
  api.request(method, path, { key: purse.key, ...(body === undefined ? {} : { body }) });

const IMAGE = 'https://images.example.com/bread.png';

/** An article that the pipeline once took, in a status. */
async function inStatus(
  status: ArticleStatus,
  { stage = null, image = null }: { stage?: Stage | null; image?: string | null } = {},
): Promise<string> {
  const known = { title: 'How to bake bread', content: 'Text.', featured_image_url: image };
  const { id } = await buildArticle(api, purse.key, known);
  await api.db.pool.query('update articles set status = $2 where id = $1', [id, status]);
  await api.db.pool.query(
    `insert into pipeline_articles (article_id, site_id, keywords, stage) values ($1, $2, '[]', $3)`,
    [id, purse.siteId, stage],
  );
  return id;
}

const statusOf = async (id: string): Promise<string> => (await call('GET', `/articles/${id}`)).data.status;

test('the table has every status of the pipeline, each with a way in and a way on', () => {
  expect(table.map(({ status }) => status).toSorted()).toEqual([...pipelineStatuses].toSorted());
  const reached = new Set([
    'discovered',
    'failed',
    ...table.flatMap(({ status, becomes, set, cleared, rejected }) =>
      [...becomes, set, cleared, rejected].filter((next) => next !== undefined && next !== status),
    ),
  ]);
  expect([...pipelineStatuses].filter((status) => !reached.has(status))).toEqual([]);
  const stuck = table.filter(
    ({ becomes, set, cleared, published, requeued }) =>
      becomes.length === 0 && !set && !cleared && !published && requeued === '',
  );
  expect(stuck).toEqual([]);
});

const step: Step = {
  startedAt: new Date(),
  model: null,
  promptVersion: null,
  prompt: null,
  answer: null,
  inputTokens: null,
  outputTokens: null,
};
const blueprint = { sections: [], requires: [] } as unknown as Parameters<typeof improved>[1];
const long = 'word '.repeat(500);
const claims = { claims: { of: '', claims: [] }, most: 0 };

/** All that each stage may come to, each for an article as it is then. */
const results: Readonly<Record<Stage, readonly [StageResult, Partial<Article>][]>> = {
  classify: [
    [judged({ score: 100, reason: '' }, step), {}],
    [judged({ score: 0, reason: '' }, step), {}],
  ],
  extract: [[extracted({ facts: [] }, { sources: [] } as never, [], null, step), {}]],
  plan: [[planned({ sections: [] }, step), {}]],
  generate: [[generated({} as Draft, {} as Article, step), {}]],
  improve: [
    [improved({} as Revision, blueprint, claims, step), { content: 'Short.', featured_image_url: null }],
    [improved({} as Revision, blueprint, claims, step), { content: long, featured_image_url: null }],
    [improved({} as Revision, blueprint, claims, step), { content: long, featured_image_url: IMAGE }],
  ],
};

describe.each(table)('an article that is $status', (row) => {
  const { status } = row;

  test('is taken on by a run as the table says', async () => {
    const does = new Set([null, ...stages].map((stage) => nextStage({ status, stage })));
    expect([...does].filter((stage) => stage !== null).toSorted()).toEqual(row.does.toSorted());
    const becomes = row.does.flatMap((stage) =>
      results[stage as Stage].map(([{ destination }, article]) => destination(article as Article).status),
    );
    expect([...new Set(becomes)].toSorted()).toEqual(row.becomes.toSorted());
    const { status: answer } = await call('POST', '/pipeline/runs', {
      article_ids: [await inStatus(status)],
    });
    expect(answer).toBe(row.does.length > 0 ? 202 : 409);
  });

  test('gets and loses an image as the table says', async () => {
    const bare = await inStatus(status);
    const patched = await call('PATCH', `/articles/${bare}`, { featured_image_url: IMAGE });
    expect([patched.status, patched.data.status]).toEqual([200, row.set ?? status]);
    const pictured = await inStatus(status, { image: IMAGE });
    const cleared = await call('PATCH', `/articles/${pictured}`, { featured_image_url: null });
    expect([cleared.status, cleared.data.status]).toEqual([200, row.cleared ?? status]);
  });

  test('is published as the table says', async () => {
    const answer = await call('POST', `/articles/${await inStatus(status)}/publish`);
    expect(answer.status).toBe(row.published ? 200 : 409);
  });

  test('is rejected and comes back as the table says', async () => {
    const id = await inStatus(status);
    const answer = await call('POST', `/pipeline/articles/${id}/reject`, { reason: 'No.' });
    if (row.rejected === undefined) {
      expect([answer.status, answer.json.error.code]).toEqual([409, 'CONFLICT']);
      expect(await statusOf(id)).toBe(status);
      return;
    }
    expect([answer.status, answer.data.status]).toEqual([200, row.rejected]);
    expect((await call('POST', '/pipeline/runs', { article_ids: [id] })).status).toBe(409);
    const back = await call('POST', `/pipeline/articles/${id}/requeue`);
    expect([back.status, back.data.status]).toEqual([202, status]);
  });

  test('is requeued as the table says', async () => {
    const answer = await call(
      'POST',
      `/pipeline/articles/${await inStatus(status, { stage: status === 'needs_improvement' ? 'improve' : null })}/requeue`,
    );
    // "as before", for an article that nobody rejected, is as after its last good stage: none.
    const expected = row.requeued === '' ? undefined : (codes(row.requeued)[0] ?? 'discovered');
    expect([answer.status, answer.data?.status]).toEqual([expected === undefined ? 409 : 202, expected]);
  });
});

test('a restore and a write of the same image move the status, too', async () => {
  const id = await inStatus('needs_images', { image: IMAGE });
  const path = `/articles/${id}`;
  // As an earlier version left it.
  const same = await call('PATCH', path, { featured_image_url: IMAGE });
  expect(same.data.status).toBe('queued');
  expect((await call('PATCH', path, { featured_image_url: null })).data.status).toBe('needs_images');
  const { items } = (await call('GET', `${path}/revisions`)).data;
  const restored = await call('POST', `${path}/revisions/${items[1].number}/restore`);
  expect(restored.data).toMatchObject({ status: 'queued', featured_image_url: IMAGE });
  const { rows } = await api.db.pool.query(
    `select details -> 'status' as status from audit_log where target_id = $1 and action = 'article.update' order by at desc limit 1`,
    [id],
  );
  expect(JSON.stringify(rows[0].status)).toContain('queued');
});

test('deleting the asset of an image moves nothing', async () => {
  const home = { api, tenant: { secretKey: purse.key } } as unknown as Home;
  const { id: assetId, url } = await asset(home);
  const id = await inStatus('needs_images');
  expect((await call('PATCH', `/articles/${id}`, { featured_image_url: url })).data.status).toBe('queued');
  expect((await call('DELETE', `/media/${assetId}`)).status).toBe(204);
  expect(await statusOf(id)).toBe('queued');
});

test('an image that a rejected article gets counts when it comes back', async () => {
  const id = await inStatus('needs_images');
  await call('POST', `/pipeline/articles/${id}/reject`);
  const patched = await call('PATCH', `/articles/${id}`, { featured_image_url: IMAGE });
  expect(patched.data.status).toBe('rejected');
  expect((await call('POST', `/pipeline/articles/${id}/requeue`)).data.status).toBe('queued');
});

test.each(['draft', 'scheduled', 'published'] as const)('nothing is rejected from %s', async (status) => {
  const id = await inStatus('queued');
  const at = new Date(Date.now() + 3_600_000);
  if (status === 'scheduled')
    await call('POST', `/articles/${id}/schedule`, { scheduled_publish_at: at.toISOString() });
  else await call('POST', `/articles/${id}/publish`);
  if (status === 'draft') await call('POST', `/articles/${id}/unpublish`);
  expect(await statusOf(id)).toBe(status);
  const answer = await call('POST', `/pipeline/articles/${id}/reject`);
  expect([answer.status, answer.json.error.code]).toEqual([409, 'CONFLICT']);
});

test('a rejection takes a reason of 2,000 characters, or none, and nothing else', async () => {
  const send = async (body?: object) =>
    (await call('POST', `/pipeline/articles/${await inStatus('scored')}/reject`, body)).status;
  expect(
    await Promise.all([send(), send({}), send({ reason: null }), send({ reason: 'x'.repeat(2_000) })]),
  ).toEqual([200, 200, 200, 200]);
  expect(
    await Promise.all([send({ reason: 'x'.repeat(2_001) }), send({ reason: 1 }), send({ why: 'No.' })]),
  ).toEqual([422, 422, 422]);
});

test('an article that a run holds is not rejected, and what does not exist in the Site is 404', async () => {
  const run = await startRun(api, purse.key, { topics: topics(1) });
  const path = `/pipeline/articles/${run.articles[0].article_id}/reject`;
  const held = await call('POST', path);
  expect([held.status, held.json.error.code]).toEqual([409, 'CONFLICT']);
  const other = await buildPurse(api, 0);
  expect((await api.request('POST', path, { key: other.key })).status).toBe(404);
  await call('POST', `/pipeline/runs/${run.id}/cancel`);
  expect((await call('POST', path)).status).toBe(200);
});

test('an item of the content plan gets another article after the first was rejected', async () => {
  const item = (await call('POST', '/content-plan', { title: 'Tea in winter' })).data;
  const first = await startRun(api, purse.key, { plan_item_ids: [item.id] });
  await call('POST', `/pipeline/runs/${first.id}/cancel`);
  const rejected = first.articles[0].article_id;
  expect((await call('POST', `/pipeline/articles/${rejected}/reject`)).status).toBe(200);
  const second = await startRun(api, purse.key, { plan_item_ids: [item.id] });
  expect(second.articles.map(({ article_id: id }: { article_id: string }) => id)).not.toContain(rejected);
  expect(await statusOf(rejected)).toBe('rejected');
});

describe('at once', () => {
  const tries = Array.from({ length: 10 }, (_, index) => index);

  test('of a rejection and a run that starts, one takes the article', async () => {
    const won = await Promise.all(
      tries.map(async () => {
        const id = await inStatus('scored', { stage: 'classify' });
        const [rejection, run] = await Promise.all([
          call('POST', `/pipeline/articles/${id}/reject`),
          call('POST', '/pipeline/runs', { article_ids: [id] }),
        ]);
        const { rows } = await api.db.pool.query(
          `select a.status, exists (select from pipeline_run_articles h where h.article_id = a.id and h.held) as held
           from articles a where a.id = $1`,
          [id],
        );
        if (rejection.status === 200) {
          expect([run.status, rows[0]]).toEqual([409, { status: 'rejected', held: false }]);
          return 'rejection';
        }
        expect([rejection.status, run.status, rows[0]]).toEqual([409, 202, { status: 'scored', held: true }]);
        return 'run';
      }),
    );
    expect(won).toHaveLength(tries.length);
  });

  test('of two rejections, one succeeds', async () => {
    for (const id of await Promise.all(tries.map(() => inStatus('generated')))) {
      const answers = await Promise.all([1, 2].map(() => call('POST', `/pipeline/articles/${id}/reject`)));
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    }
  });

  test('a requeue and a rejection leave one of the two outcomes, with its mark', async () => {
    for (const id of await Promise.all(tries.map(() => inStatus('failed')))) {
      const [requeue, rejection] = await Promise.all([
        call('POST', `/pipeline/articles/${id}/requeue`),
        call('POST', `/pipeline/articles/${id}/reject`),
      ]);
      expect([requeue.status, rejection.status]).toEqual([202, 200]);
      const { rows } = await api.db.pool.query(
        'select rejected_from from pipeline_articles where article_id = $1',
        [id],
      );
      const known = { status: await statusOf(id), from: rows[0].rejected_from };
      expect([
        // The requeue was first: the rejection is of what it left.
        { status: 'rejected', from: 'discovered' },
        // The rejection was first: the requeue took it back.
        { status: 'failed', from: null },
      ]).toContainEqual(known);
    }
  });
});
