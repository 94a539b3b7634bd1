import { publishDueArticle } from '../../../../domain/publication/publish-due.ts';
import { endRun } from '../../../../domain/pipeline/run-lifecycle.ts';
import { approved as approvedFor, buildAgent } from '../../../support/approvals.ts';
import { useApi } from '../../../support/api.ts';
import { buildKey, buildMember, buildTenant } from '../../../support/builders.ts';
import { carriedOut } from '../../../support/bulk.ts';
import { balances, buildPurse } from '../../../support/pipeline.ts';
import type { Purse } from '../../../support/pipeline.ts';

const api = await useApi();
let purse: Purse;

beforeEach(async () => {
  purse = await buildPurse(api, 1_000);
});

const send = (method: string, path: string, body?: object, options: object = {}, key = purse.key) =>
  api.request(method, path, { key, body, ...options });
const add = async (body: object = {}) =>
  (await send('POST', '/content-plan', { title: 'How to bake good bread', ...body })).data;
const adds = (count: number, body: object = {}) =>
  Promise.all(
    Array.from({ length: count }, (_, index) => add({ title: `How to bake bread ${index}`, ...body })),
  );
const read = async ({ id }: { id: string }) => (await send('GET', `/content-plan/${id}`)).data;
const start = (items: readonly { id: string }[], options: object = {}) =>
  send('POST', '/pipeline/runs', { plan_item_ids: items.map(({ id }) => id) }, options);
const cancel = (runId: string) => send('POST', `/pipeline/runs/${runId}/cancel`);
const end = (runId: string, reason: 'provider_unavailable' | 'insufficient_credits' | null) =>
  api.db.transaction((tx) => endRun(tx, purse.siteId, runId, reason, new Date()));
/** As if a run had done stages of an article. */
async function put(articleId: string, status: string, stage: string | null): Promise<void> {
  await api.db.pool.query('update articles set status = $2 where id = $1', [articleId, status]);
  await api.db.pool.query('update pipeline_articles set stage = $2 where article_id = $1', [
    articleId,
    stage,
  ]);
}

describe('starting', () => {
  test('items become the topics of a run, in the order in which they are named', async () => {
    const category = (await send('POST', '/categories', { name: 'Bread' }, { idempotencyKey: true })).data;
    const first = await add({
      keywords: ['crust'],
      source_url: 'https://example.com/a',
      category_id: category.id,
    });
    const second = await add({ title: 'How to bake a cake', status: 'approved' });
    const { status, data: run, headers } = await start([second, first]);
    expect(status).toBe(202);
    expect(headers.get('location')).toBe(`${api.origin}/v1/pipeline/runs/${run.id}`);
    expect(run.totals).toEqual({ articles: 2, stages_done: 0, stages_total: 10 });
    for (const [index, item] of [second, first].entries()) {
      const articleId = run.articles[index].article_id;
      expect(await read(item)).toMatchObject({ status: 'started', run_id: run.id, article_id: articleId });
      const article = (await send('GET', `/articles/${articleId}`)).data;
      expect(article).toMatchObject({
        title: item.title,
        category_id: item.category_id,
        status: 'discovered',
      });
    }
    const { rows } = await api.db.pool.query(
      'select keywords, source_url from pipeline_articles where article_id = $1',
      [run.articles[1].article_id],
    );
    expect(rows).toEqual([{ keywords: ['crust'], source_url: 'https://example.com/a' }]);
  });

  test('an item is started once, however many runs race', async () => {
    const items = await adds(10);
    const memberId = await buildMember(api.db, purse.organisationId);
    const race = async (index: number) => {
      // A key of its own: the limit of runs is by the minute and key.
      const { secret } = await buildKey(api.db, purse.siteId, memberId);
      const order = [...items.slice(index % 10), ...items.slice(0, index % 10)];
      return send('POST', '/pipeline/runs', { plan_item_ids: order.map(({ id }) => id) }, {}, secret);
    };
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => race(index)));
    const statuses = answers.map(({ status }) => status);
    expect([...new Set(statuses)].sort()).toEqual([202, 409]);
    const taken = answers.flatMap(({ status, data }) => (status === 202 ? data.articles : []));
    expect(taken).toHaveLength(10);
    const { rows } = await api.db.pool.query(
      'select count(*)::int as articles from articles where site_id = $1',
      [purse.siteId],
    );
    expect(rows).toEqual([{ articles: 10 }]);
    for (const { json, status } of answers) if (status === 409) expect(json.error.code).toBe('CONFLICT');
  });

  test('what other runs have taken is left out, and with nothing left it is 409', async () => {
    const [one, two] = (await adds(2)) as [{ id: string }, { id: string }];
    await start([one]);
    const { data } = await start([one, two]);
    expect(data.articles).toHaveLength(1);
    const { status, json } = await start([one, two]);
    expect([status, json.error.code]).toEqual([409, 'CONFLICT']);
  });

  test('rejected and unknown items are 422 by their place, and nothing is started', async () => {
    const fine = await add();
    const rejected = await add({ status: 'rejected' });
    const other = await buildTenant(api.db);
    const foreign = (
      await api.request('POST', '/content-plan', { key: other.secretKey, body: { title: 'x' } })
    ).data;
    const { status, json } = await start([fine, rejected, foreign]);
    expect(status).toBe(422);
    expect(json.error.fields).toEqual({
      'plan_item_ids.1': 'is rejected: set its status to idea or approved first',
      'plan_item_ids.2': 'is not the id of a plan item of this Site',
    });
    expect((await start([rejected])).status).toBe(422);
    expect((await start([foreign])).status).toBe(422);
    expect((await read(fine)).status).toBe('idea');
  });

  test('one id twice, other members, none and more than 50 are 422', async () => {
    const { id } = await add();
    const fields = async (body: object) => {
      const { status, json } = await send('POST', '/pipeline/runs', body);
      expect(status).toBe(422);
      return Object.keys(json.error.fields).sort();
    };
    expect(await fields({ plan_item_ids: [id, id.toUpperCase()] })).toEqual(['plan_item_ids.1']);
    expect(await fields({ plan_item_ids: [id], topics: [{ title: 'x' }] })).toEqual(['plan_item_ids']);
    expect(await fields({ plan_item_ids: [id], article_ids: [id] })).toEqual(['plan_item_ids']);
    expect(await fields({ plan_item_ids: [id], resume_run_id: id })).toEqual([
      'plan_item_ids',
      'resume_run_id',
    ]);
    expect(await fields({ plan_item_ids: [] })).toEqual(['plan_item_ids']);
    expect(await fields({ plan_item_ids: Array.from({ length: 51 }, () => crypto.randomUUID()) })).toEqual([
      'plan_item_ids',
    ]);
    expect(await fields({ plan_item_ids: 'all' })).toEqual(['plan_item_ids']);
    expect((await read({ id })).status).toBe('idea');
  });

  test('the gates are those of every run, in their order', async () => {
    const code = async (key: string, ids: readonly string[]) =>
      (await send('POST', '/pipeline/runs', { plan_item_ids: ids }, {}, key)).json.error.code;
    const item = async ({ key }: Purse, status = 'idea') =>
      (await send('POST', '/content-plan', { title: 'How to bake', status }, {}, key)).data.id as string;
    const free = await buildPurse(api, 100, { plan: 'free' });
    expect(await code(free.key, [])).toBe('NOT_ENTITLED');
    const poor = await buildPurse(api, 0, { spendCap: 0 });
    expect(await code(poor.key, [await item(poor, 'rejected')])).toBe('VALIDATION_FAILED');
    const id = await item(poor);
    expect(await code(poor.key, [id])).toBe('INSUFFICIENT_CREDITS');
    const capped = await buildPurse(api, 100, { spendCap: 0 });
    expect(await code(capped.key, [await item(capped)])).toBe('SPEND_CAP_REACHED');
    expect((await send('GET', `/content-plan/${id}`, undefined, {}, poor.key)).data.status).toBe('idea');
    const { rows } = await api.db.pool.query('select from articles where site_id = $1', [poor.siteId]);
    expect(rows).toHaveLength(0);
  });

  test('an Idempotency-Key starts one run', async () => {
    const items = await adds(2);
    const options = { idempotencyKey: 'one-run' };
    const [first, second] = [await start(items, options), await start(items, options)];
    expect(second.data.id).toBe(first.data.id);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
  });

  test('an agent needs an approval, which is for the items as they were', async () => {
    const memberId = await buildMember(api.db, purse.organisationId);
    const tenant = { ...purse, memberId, secretKey: purse.key, publishableKey: '' };
    const agent = await buildAgent(api, tenant);
    const item = await add();
    const request = {
      method: 'POST',
      path: '/pipeline/runs',
      options: { body: { plan_item_ids: [item.id] } },
    };
    const retry = (id: string) =>
      send(
        'POST',
        '/pipeline/runs',
        request.options.body,
        { headers: { 'Service-Approval': id } },
        agent.secret,
      );
    const changed = await approvedFor(api, tenant, agent.secret, request);
    await send('PATCH', `/content-plan/${item.id}`, { title: 'Something else' });
    expect((await retry(changed)).status).toBe(409);
    const asked = await approvedFor(api, tenant, agent.secret, request);
    const { status, data } = await retry(asked);
    expect([status, data.articles.length]).toEqual([202, 1]);
  });
});

describe('items of a run that ended early', () => {
  test('a cancelled run gives back what was not written, as it was', async () => {
    const idea = await add();
    const approved = await add({ status: 'approved' });
    const written = await add({ status: 'approved' });
    const { data: run } = await start([idea, approved, written]);
    await put(run.articles[2].article_id, 'generated', 'generate');
    await cancel(run.id);
    for (const item of [idea, approved]) {
      const { updated_at: _, ...now } = await read(item);
      const { updated_at: __, ...before } = item;
      expect(now).toEqual(before);
    }
    expect(await read(written)).toMatchObject({ status: 'started', run_id: run.id });
  });

  test('so does a run that failed, but not one that ran out of credits or was completed', async () => {
    const items = await adds(3, { status: 'approved' });
    const statuses = [];
    const reasons = ['provider_unavailable', 'insufficient_credits', null] as const;
    for (const [index, item] of items.entries()) {
      const { data: run } = await start([item]);
      await end(run.id, reasons[index] as (typeof reasons)[number]);
      statuses.push((await read(item)).status);
    }
    expect(statuses).toEqual(['approved', 'started', 'started']);
  });

  test.each([
    ['discovered', null],
    ['failed', 'classify'],
    ['skipped', 'classify'],
    ['scraped', 'plan'],
  ])('an item that was given back goes on with its article, which is %s', async (status, stage) => {
    const item = await add();
    const { data: first } = await start([item]);
    const articleId = first.articles[0].article_id;
    await put(articleId, status, stage);
    await end(first.id, 'provider_unavailable');
    expect(await read(item)).toMatchObject({ status: 'idea', article_id: null, run_id: null });
    const { data: second } = await start([item]);
    expect(second.articles.map((article: any) => article.article_id)).toEqual([articleId]);
    expect(await read(item)).toMatchObject({ status: 'started', article_id: articleId, run_id: second.id });
  });

  test('a new article is made if the other is gone, or the item is about something else now', async () => {
    const [changed, orphan] = (await adds(2)) as [{ id: string }, { id: string }];
    const { data: first } = await start([changed, orphan]);
    await cancel(first.id);
    const [former, deleted] = first.articles.map((article: any) => article.article_id);
    await send('PATCH', `/content-plan/${changed.id}`, { title: 'How to bake a cake' });
    await send('DELETE', `/articles/${deleted}`);
    const { data: second } = await start([changed, orphan]);
    const made = second.articles.map((article: any) => article.article_id);
    expect(made).not.toContain(former);
    expect(made).not.toContain(deleted);
    expect((await send('GET', `/articles/${made[0]}`)).data.title).toBe('How to bake a cake');
  });

  test('another run that goes on with the articles starts their items again', async () => {
    const item = await add({ status: 'approved' });
    const { data: first } = await start([item]);
    await cancel(first.id);
    const { data: second } = await send('POST', '/pipeline/runs', { resume_run_id: first.id });
    expect(await read(item)).toMatchObject({ status: 'started', run_id: second.id });
    expect((await start([item])).status).toBe(409);
    await cancel(second.id);
    expect((await read(item)).status).toBe('approved');
  });
});

describe('items that a run has taken', () => {
  test('keep their title, and cannot be deleted or set back while it is running', async () => {
    const item = await add();
    const { data: run } = await start([item]);
    const path = `/content-plan/${item.id}`;
    const code = async (method: string, body?: object) => {
      const { status, json } = await send(method, path, body);
      return status < 300 ? status : json.error.code;
    };
    expect(await code('PATCH', { title: 'Another' })).toBe('CONFLICT');
    expect(await code('PATCH', { status: 'rejected' })).toBe('CONFLICT');
    expect(await code('DELETE')).toBe('CONFLICT');
    expect(await code('PATCH', { title: item.title, notes: 'Soon.' })).toBe(200);
    await end(run.id, null);
    expect(await code('PATCH', { title: 'Another' })).toBe('CONFLICT');
    expect(await code('DELETE')).toBe(204);
    expect((await send('GET', `/articles/${run.articles[0].article_id}`)).status).toBe(200);
  });

  test('can be set back by a client when the run has ended, and started again', async () => {
    const item = await add();
    const { data: run } = await start([item]);
    await end(run.id, 'insufficient_credits');
    const { data } = await send('PATCH', `/content-plan/${item.id}`, { status: 'approved' });
    expect(data).toMatchObject({ status: 'approved', article_id: null, run_id: null });
    expect((await start([item])).data.articles[0].article_id).toBe(run.articles[0].article_id);
  });

  test('a deletion and a start at the same time leave no run with a deleted item', async () => {
    for (let round = 0; round < 5; round += 1) {
      const item = await add();
      const [started, deleted] = await Promise.all([
        start([item]),
        send('DELETE', `/content-plan/${item.id}`),
      ]);
      expect([
        [202, 409],
        [422, 204],
      ]).toContainEqual([started.status, deleted.status]);
    }
  });
});

describe('an item is done when its article is published', () => {
  async function written() {
    const item = await add();
    const { data: run } = await start([item]);
    const articleId = run.articles[0].article_id as string;
    await end(run.id, null);
    await api.db.pool.query(`update articles set content = 'Text.', status = 'queued' where id = $1`, [
      articleId,
    ]);
    return { item, articleId };
  }

  test('by a request, in the same transaction', async () => {
    const { item, articleId } = await written();
    await send('POST', `/articles/${articleId}/publish`);
    const done = await read(item);
    expect(done).toMatchObject({ status: 'done', article_id: articleId });
    await send('POST', `/articles/${articleId}/unpublish`);
    expect(await read(item)).toEqual(done);
    await send('DELETE', `/articles/${articleId}`);
    expect(await read(item)).toMatchObject({ status: 'done', article_id: null });
  });

  test('by a bulk job, and at its scheduled time', async () => {
    const [bulk, scheduled] = [await written(), await written()];
    const tenant = { ...purse, memberId: '', secretKey: purse.key, publishableKey: '' };
    await carriedOut(api, tenant, { action: 'publish', article_ids: [bulk.articleId] });
    expect(await read(bulk.item)).toMatchObject({ status: 'done', article_id: bulk.articleId });
    await send('POST', `/articles/${scheduled.articleId}/schedule`, {
      scheduled_publish_at: '2999-01-01T00:00:00Z',
    });
    expect((await read(scheduled.item)).status).toBe('started');
    const ports = { db: api.db, purger: null };
    const due = new Date('2999-01-01T00:00:01Z');
    await api.db.transaction((tx) => publishDueArticle(tx, ports, scheduled.articleId, due));
    expect(await read(scheduled.item)).toMatchObject({ status: 'done', article_id: scheduled.articleId });
  });

  test('a publication that is refused leaves it as it was', async () => {
    const { item, articleId } = await written();
    await api.db.pool.query('update articles set content = null where id = $1', [articleId]);
    expect((await send('POST', `/articles/${articleId}/publish`)).status).toBe(422);
    expect((await read(item)).status).toBe('started');
  });

  test('set back, it begins anew with another article', async () => {
    const { item, articleId } = await written();
    await send('POST', `/articles/${articleId}/publish`);
    await send('PATCH', `/content-plan/${item.id}`, { status: 'idea' });
    const { data: run } = await start([item]);
    expect(run.articles[0].article_id).not.toBe(articleId);
    expect(await balances(api, purse.organisationId)).toEqual([1_000, 1_000]);
  });
});
