import { useApi } from '../../../support/api.ts';
import { buildArticle, buildKey, buildMember } from '../../../support/builders.ts';
import { balances, buildPurse, startRun, topics } from '../../../support/pipeline.ts';
import type { Purse } from '../../../support/pipeline.ts';

const api = await useApi();
let purse: Purse;

beforeEach(async () => {
  purse = await buildPurse(api, 100);
});

const start = (body?: unknown, key = purse.key) =>
  api.request('POST', '/pipeline/runs', { key, ...(body === undefined ? {} : { body }) });
const refusal = async (body?: unknown, key = purse.key) => {
  const { status, json } = await start(body, key);
  return [status, json.error.code];
};
const UNKNOWN = '0197a0c4-5c1e-7d30-9b64-2f1f0d3c8a11';

/** An article in a status of the pipeline, created like by a run. */
async function pipelineArticle(status: string, stage: string | null = null): Promise<string> {
  const run = await startRun(api, purse.key, { topics: topics(1) });
  const id = run.articles[0].article_id as string;
  await api.request('POST', `/pipeline/runs/${run.id}/cancel`, { key: purse.key });
  await api.db.pool.query('update articles set status = $2 where id = $1', [id, status]);
  await api.db.pool.query('update pipeline_articles set stage = $2 where article_id = $1', [id, stage]);
  return id;
}

describe('gates, in their order', () => {
  test('scope is checked first, then entitlement, then the body', async () => {
    const free = await buildPurse(api, 100, { plan: 'free' });
    const memberId = await buildMember(api.db, free.organisationId);
    const { secret } = await buildKey(api.db, free.siteId, memberId, { scopes: ['pipeline:read'] });
    expect(await refusal({ topics: 1 }, secret)).toEqual([403, 'INSUFFICIENT_SCOPE']);
    expect(await refusal({ topics: 1 }, free.key)).toEqual([402, 'NOT_ENTITLED']);
    expect(await refusal('{', free.key)).toEqual([402, 'NOT_ENTITLED']);
    expect(await refusal({ topics: 1 })).toEqual([422, 'VALIDATION_FAILED']);
  });

  test('an unknown run to resume, nothing to do, unknown ids, money', async () => {
    const poor = await buildPurse(api, 0);
    expect(await refusal({ resume_run_id: UNKNOWN }, poor.key)).toEqual([404, 'NOT_FOUND']);
    expect(await refusal({}, poor.key)).toEqual([409, 'CONFLICT']);
    expect(await refusal(undefined, poor.key)).toEqual([409, 'CONFLICT']);
    expect(await refusal({ article_ids: [UNKNOWN] }, poor.key)).toEqual([422, 'VALIDATION_FAILED']);
    expect(await refusal({ topics: topics(1) }, poor.key)).toEqual([402, 'INSUFFICIENT_CREDITS']);
  });

  test('credits are checked before the cap; a cap of zero blocks every run', async () => {
    const capped = await buildPurse(api, 100, { spendCap: 0 });
    expect(await refusal({ topics: topics(1) }, capped.key)).toEqual([402, 'SPEND_CAP_REACHED']);
    const both = await buildPurse(api, 0, { spendCap: 0 });
    expect(await refusal({ topics: topics(1) }, both.key)).toEqual([402, 'INSUFFICIENT_CREDITS']);
  });

  test('the cheapest next stage decides', async () => {
    const generate = await pipelineArticle('scraped', 'plan');
    const improve = await pipelineArticle('generated', 'generate');
    await api.db.pool.query('update organisations set credit_balance = 6 where id = $1', [
      purse.organisationId,
    ]);
    expect(await refusal({ article_ids: [generate] })).toEqual([402, 'INSUFFICIENT_CREDITS']);
    expect((await start({ article_ids: [generate, improve] })).status).toBe(202);
  });

  test('a refused run leaves nothing behind', async () => {
    const poor = await buildPurse(api, 0);
    await start({ topics: topics(3) }, poor.key);
    const { rows } = await api.db.pool.query('select from articles where site_id = $1', [poor.siteId]);
    expect(rows).toHaveLength(0);
  });
});

describe('the body', () => {
  test.each([
    [{ topics: [] }, 'topics'],
    [{ topics: [{}] }, 'topics.0.title'],
    [{ topics: [{ title: '' }] }, 'topics.0.title'],
    [{ topics: [{ title: 'x'.repeat(301) }] }, 'topics.0.title'],
    [{ topics: [{ title: 'Bread', status: 'draft' }] }, 'topics.0.status'],
    [{ topics: [{ title: 'Bread', keywords: 'rye' }] }, 'topics.0.keywords'],
    [{ topics: [{ title: 'Bread', source_url: 'nowhere' }] }, 'topics.0.source_url'],
    [{ topics: [{ title: 'Bread', notes: 'x'.repeat(5_001) }] }, 'topics.0.notes'],
    [{ topics: [{ title: 'Bread', source_urls: ['nowhere'] }] }, 'topics.0.source_urls.0'],
    [
      {
        topics: [
          {
            title: 'Bread',
            source_url: 'https://example.com/',
            source_urls: Array.from({ length: 20 }, (_, n) => `https://example.com/${n}`),
          },
        ],
      },
      'topics.0.source_urls',
    ],
    [{ topics: Array.from({ length: 51 }, () => ({ title: 'Bread' })) }, 'topics'],
    [{ article_ids: [] }, 'article_ids'],
    [{ article_ids: ['nonsense'] }, 'article_ids.0'],
    [{ resume_run_id: 'nonsense' }, 'resume_run_id'],
    [{ resume_run_id: UNKNOWN, topics: [{ title: 'Bread' }] }, 'resume_run_id'],
    [{ everything: true }, 'everything'],
  ])('%j is refused at %s', async (body, field) => {
    const { status, json } = await start(body);
    expect([status, json.error.code]).toEqual([422, 'VALIDATION_FAILED']);
    expect(Object.keys(json.error.fields)).toEqual([field]);
  });

  test('unknown references of a topic are reported with the topic', async () => {
    const body = { topics: [{ title: 'Bread' }, { title: 'Rye', category_id: UNKNOWN, author_id: UNKNOWN }] };
    const { json } = await start(body);
    expect(Object.keys(json.error.fields)).toEqual(['topics.1.category_id', 'topics.1.author_id']);
  });

  test('an article that is not in the pipeline is reported', async () => {
    const draft = await buildArticle(api, purse.key, { title: 'Mine' });
    const known = await pipelineArticle('discovered');
    const { status, json } = await start({ article_ids: [known, draft.id, UNKNOWN] });
    expect([status, Object.keys(json.error.fields)]).toEqual([422, ['article_ids.1', 'article_ids.2']]);
  });

  test('finished articles are nothing to do', async () => {
    const finished = await pipelineArticle('queued', 'improve');
    const failed = await pipelineArticle('failed', 'plan');
    expect(await refusal({ article_ids: [finished, failed] })).toEqual([409, 'CONFLICT']);
  });
});

test('a run answers 202 with its address, and is replayed by its key', async () => {
  const options = { key: purse.key, body: { topics: topics(1) }, idempotencyKey: 'run-1' };
  const first = await api.request('POST', '/pipeline/runs', options);
  expect([first.status, first.headers.get('location')]).toEqual([
    202,
    `${api.origin}/v1/pipeline/runs/${first.data.id}`,
  ]);
  const again = await api.request('POST', '/pipeline/runs', options);
  expect([again.status, again.text, again.headers.get('idempotency-replayed')]).toEqual([
    202,
    first.text,
    'true',
  ]);
  const listed = await api.request('GET', '/pipeline/runs', { key: purse.key });
  expect(listed.data.items).toEqual([first.data]);
});

test('of twenty concurrent runs of the same articles, one takes them', async () => {
  await pipelineArticle('discovered');
  await pipelineArticle('scored', 'classify');
  // Several keys, because a key may start ten runs a minute.
  const memberId = await buildMember(api.db, purse.organisationId);
  const keys = await Promise.all(
    Array.from({ length: 20 }, async () => (await buildKey(api.db, purse.siteId, memberId)).secret),
  );
  const answers = await Promise.all(keys.map((key) => start({}, key)));
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses).toEqual([202, ...Array.from({ length: 19 }, () => 409)]);
});

test('a run that has not started is cancelled at once, and releases its articles', async () => {
  const run = await startRun(api, purse.key, { topics: topics(1) });
  const cancelled = await api.request('POST', `/pipeline/runs/${run.id}/cancel`, { key: purse.key });
  expect(cancelled.data).toMatchObject({ status: 'cancelled', reason: 'cancelled', credits_spent: 0 });
  expect((await api.request('POST', `/pipeline/runs/${run.id}/cancel`, { key: purse.key })).status).toBe(409);
  expect((await start({})).status).toBe(202);
  const { items } = (await api.request('GET', '/events?event=pipeline_run.finished', { key: purse.key }))
    .data;
  expect(items.map(({ data }: any) => data)).toEqual([cancelled.data]);
  expect(await balances(api, purse.organisationId)).toEqual([100, 100]);
});

test('runs of another Site do not exist', async () => {
  const run = await startRun(api, purse.key, { topics: topics(1) });
  const other = await buildPurse(api, 100);
  for (const [method, path] of [
    ['GET', `/pipeline/runs/${run.id}`],
    ['POST', `/pipeline/runs/${run.id}/cancel`],
    ['POST', `/pipeline/articles/${run.articles[0].article_id}/requeue`],
  ] as const) {
    expect((await api.request(method, path, { key: other.key })).status).toBe(404);
  }
  expect(await refusal({ resume_run_id: run.id }, other.key)).toEqual([404, 'NOT_FOUND']);
  const named = await start({ article_ids: [run.articles[0].article_id] }, other.key);
  expect(Object.keys(named.json.error.fields)).toEqual(['article_ids.0']);
});

test.each([
  ['failed', null, 'discovered'],
  ['failed', 'classify', 'scored'],
  ['failed', 'extract', 'scraped'],
  ['failed', 'plan', 'scraped'],
  ['failed', 'generate', 'generated'],
  ['rejected', 'plan', 'scraped'],
  ['skipped', 'classify', 'discovered'],
  ['needs_improvement', 'improve', 'generated'],
])('a requeue takes %s after %s back to %s', async (status, stage, expected) => {
  const id = await pipelineArticle(status, stage);
  const before = await api.request('GET', `/articles/${id}`, { key: purse.key });
  const answer = await api.request('POST', `/pipeline/articles/${id}/requeue`, { key: purse.key });
  expect([answer.status, answer.data.status, answer.data.id]).toEqual([202, expected, id]);
  expect(answer.headers.get('etag')).not.toBe(before.headers.get('etag'));
  const resumed = await start({});
  expect([resumed.status, resumed.data.articles.length]).toEqual([202, 1]);
});

test.each(['draft', 'published', 'discovered', 'scored', 'scraped', 'generated', 'needs_images', 'queued'])(
  'nothing is requeued from %s',
  async (status) => {
    const { id } = await buildArticle(api, purse.key, { title: 'Mine', content: 'Text.' });
    await api.db.pool.query(
      `update articles set status = $2, published_at = case when $2 = 'published' then now() end where id = $1`,
      [id, status],
    );
    const answer = await api.request('POST', `/pipeline/articles/${id}/requeue`, { key: purse.key });
    expect([answer.status, answer.json.error.code]).toEqual([409, 'CONFLICT']);
  },
);
