import { createRun } from '../../domain/pipeline/create-run.ts';
import { operator } from '../../domain/audit/record.ts';
import { rescueRuns } from '../../domain/pipeline/run-lifecycle.ts';
import { WriterError } from '../../domain/pipeline/writer.ts';
import { workflowIdOf } from '../../domain/kernel/workflow-messages.ts';
import { offlineWriter } from '../../adapters/writer/offline/writer.ts';
import {
  balances,
  buildPurse,
  ended,
  grant,
  heldAt,
  noSources,
  startPipeline,
  startRun,
  topics,
} from '../support/pipeline.ts';
import type { PipelineStack } from '../support/pipeline.ts';
import { eventually } from '../support/eventually.ts';

const STAGES = ['classify', 'extract', 'plan', 'generate', 'improve'] as const;
const COSTS = [1, 1, 2, 10, 5];
/** The costs of the stages of two articles, in the order of payment. */
const UNITS = [...COSTS, ...COSTS];
const ALL = 38;

let stack: PipelineStack;

beforeAll(async () => {
  stack = await startPipeline();
});
afterEach(() => {
  stack.writer = offlineWriter;
  stack.sources = noSources;
});
afterAll(() => stack.close());

/** The number of units that a balance pays for. */
function affordable(credits: number): { units: number; spent: number } {
  let [units, spent] = [0, 0];
  for (const cost of UNITS) {
    if (spent + cost > credits) break;
    spent += cost;
    units += 1;
  }
  return { units, spent };
}

const get = async (key: string, path: string) => (await stack.api.request('GET', path, { key })).data;

test('a run processes its topics through all stages', async () => {
  const { api } = stack;
  const purse = await buildPurse(api, 100);
  const run = await startRun(api, purse.key, { topics: topics(2) });
  expect(run).toMatchObject({
    status: 'queued',
    reason: null,
    writer: 'offline',
    totals: { articles: 2, stages_done: 0, stages_total: 10 },
    credits_spent: 0,
    started_at: null,
    finished_at: null,
  });
  expect(run.articles).toEqual(
    run.articles.map(({ article_id }: any) => ({
      article_id,
      status: 'discovered',
      stage: null,
      error: null,
      duplicate_of: null,
      score: null,
    })),
  );
  const done = await ended(api, purse.key, run.id);
  expect(done).toMatchObject({
    status: 'completed',
    reason: null,
    totals: { articles: 2, stages_done: 10, stages_total: 10 },
    credits_spent: ALL,
  });
  for (const { article_id: id, status, stage } of done.articles) {
    expect([status, stage]).toEqual(['needs_improvement', 'improve']);
    const article = await get(purse.key, `/articles/${id}`);
    expect(article.content).toBe('A warm kitchen makes it faster.');
    expect(article.excerpt).toBeTruthy();
  }
  const found = await get(purse.key, '/articles?q=%22warm%20kitchen%22');
  expect(found.items.map(({ id }: any) => id).sort()).toEqual(
    done.articles.map(({ article_id }: any) => article_id).sort(),
  );
  expect(await balances(api, purse.organisationId)).toEqual([100 - ALL, 100 - ALL]);
  const { items } = await get(purse.key, '/events?event=pipeline_run.finished');
  expect(items.map(({ data }: any) => data)).toEqual([done]);
  const usage = await get(purse.key, '/usage');
  expect(usage).toMatchObject({
    usage: { pipeline_runs: 1, credits_spent: ALL },
    credits: { balance: 100 - ALL },
  });
});

test('with every balance up to the cost of two articles, a run stops at the first unit that it cannot pay', async () => {
  const { api } = stack;
  const outcomeOf = async (credits: number) => {
    const purse = await buildPurse(api, credits);
    const run = await startRun(api, purse.key, { topics: topics(2) });
    const { status, reason, totals, credits_spent, articles } = await ended(api, purse.key, run.id);
    const stages = articles.map(({ stage }: { stage: string | null }) => stage);
    const left = await balances(api, purse.organisationId);
    return { credits, status, reason, done: totals.stages_done, spent: credits_spent, stages, left };
  };
  const expected = (credits: number) => {
    const { units, spent } = affordable(credits);
    const [status, reason] = credits >= ALL ? ['completed', null] : ['partial', 'insufficient_credits'];
    const stages = [Math.min(5, units), Math.max(0, units - 5)].map((count) => STAGES[count - 1] ?? null);
    return { credits, status, reason, done: units, spent, stages, left: [credits - spent, credits - spent] };
  };
  const purses = Array.from({ length: ALL }, (_, index) => index + 1);
  expect(await Promise.all(purses.map(outcomeOf))).toEqual(purses.map(expected));
});

test('a monthly cap stops a run like an empty balance, and is reported', async () => {
  const { api } = stack;
  const purse = await buildPurse(api, 1_000, { spendCap: 20 });
  const run = await ended(api, purse.key, (await startRun(api, purse.key, { topics: topics(2) })).id);
  expect([run.status, run.reason, run.credits_spent]).toEqual(['partial', 'spend_cap_reached', 20]);
});

test('the rest of a run is resumed by an empty body, and by naming the run', async () => {
  const { api } = stack;
  const purse = await buildPurse(api, 20);
  const first = await ended(api, purse.key, (await startRun(api, purse.key, { topics: topics(2) })).id);
  expect(first.credits_spent).toBe(20);
  await grant(api, purse.organisationId, 4);
  const second = await startRun(api, purse.key);
  expect(second.totals).toEqual({ articles: 1, stages_done: 0, stages_total: 4 });
  expect(second.articles[0]).toMatchObject({ article_id: first.articles[1].article_id, stage: 'classify' });
  expect(await ended(api, purse.key, second.id)).toMatchObject({ status: 'partial', credits_spent: 3 });
  await grant(api, purse.organisationId, 100);
  const third = await startRun(api, purse.key, { resume_run_id: second.id });
  expect(third.totals.stages_total).toBe(2);
  expect(await ended(api, purse.key, third.id)).toMatchObject({ status: 'completed', credits_spent: 15 });
  const again = await api.request('POST', '/pipeline/runs', {
    key: purse.key,
    body: { resume_run_id: third.id },
  });
  expect([again.status, again.json.error.code]).toEqual([409, 'CONFLICT']);
});

test('two runs with one balance spend exactly its credits', async () => {
  const { api } = stack;
  const purse = await buildPurse(api, 50);
  const runs = await Promise.all([1, 2, 3].map(() => startRun(api, purse.key, { topics: topics(2) })));
  const done = await Promise.all(runs.map(({ id }) => ended(api, purse.key, id)));
  const spent = done.reduce((sum, { credits_spent }) => sum + credits_spent, 0);
  expect(await balances(api, purse.organisationId)).toEqual([50 - spent, 50 - spent]);
  expect(50 - spent).toBeGreaterThanOrEqual(0);
  expect(done.every(({ status }) => status === 'partial' || status === 'completed')).toBe(true);
});

test('a stage that fails for good fails its article and is refunded, and the run continues', async () => {
  const { api } = stack;
  stack.writer = {
    ...offlineWriter,
    plan: async (brief, attempt) => {
      if (brief.title.endsWith('1')) throw new WriterError('it answered 400.', { final: true });
      return offlineWriter.plan(brief, attempt);
    },
  };
  const purse = await buildPurse(api, 100);
  const run = await ended(api, purse.key, (await startRun(api, purse.key, { topics: topics(2) })).id);
  expect(run).toMatchObject({ status: 'completed', credits_spent: 2 + 19, totals: { stages_done: 7 } });
  expect(run.articles[0]).toMatchObject({
    status: 'failed',
    stage: 'extract',
    error: 'The writer failed for good: it answered 400.',
  });
  expect(await balances(api, purse.organisationId)).toEqual([79, 79]);
  expect((await get(purse.key, '/usage')).usage.credits_spent).toBe(21);
  stack.writer = offlineWriter;
  const requeued = await api.request('POST', `/pipeline/articles/${run.articles[0].article_id}/requeue`, {
    key: purse.key,
  });
  expect([requeued.status, requeued.data.status]).toEqual([202, 'scraped']);
  const rest = await ended(api, purse.key, (await startRun(api, purse.key)).id);
  expect(rest).toMatchObject({ status: 'completed', credits_spent: 17 });
});

test('a run whose articles all failed is failed', async () => {
  const { api } = stack;
  stack.writer = {
    ...offlineWriter,
    classify: () => Promise.reject(new WriterError('it answered 401.', { final: true })),
  };
  const purse = await buildPurse(api, 100);
  const run = await ended(api, purse.key, (await startRun(api, purse.key, { topics: topics(2) })).id);
  expect([run.status, run.reason, run.credits_spent]).toEqual(['failed', 'provider_unavailable', 0]);
  expect(await balances(api, purse.organisationId)).toEqual([100, 100]);
});

test('a stage that fails once is retried and charged once', async () => {
  const { api } = stack;
  let tries = 0;
  stack.writer = {
    ...offlineWriter,
    extract: (brief, attempt) => {
      tries += 1;
      return tries === 1
        ? Promise.reject(new WriterError('it answered 503.', { final: false, retryAfterMs: 50 }))
        : offlineWriter.extract(brief, attempt);
    },
  };
  const purse = await buildPurse(api, 100);
  const run = await ended(api, purse.key, (await startRun(api, purse.key, { topics: topics(1) })).id);
  expect([run.status, run.credits_spent, tries]).toEqual(['completed', 19, 2]);
});

test('a topic that scores too low is skipped; a requeue has it judged again', async () => {
  const { api } = stack;
  const purse = await buildPurse(api, 100);
  const run = await ended(
    api,
    purse.key,
    (await startRun(api, purse.key, { topics: [{ title: 'Bread' }] })).id,
  );
  expect(run).toMatchObject({ status: 'completed', credits_spent: 1 });
  expect(run.articles[0]).toMatchObject({ status: 'skipped', stage: 'classify' });
  const { article_id: id } = run.articles[0];
  const requeued = await api.request('POST', `/pipeline/articles/${id}/requeue`, { key: purse.key });
  expect([requeued.status, requeued.data.status]).toEqual([202, 'discovered']);
  const twice = await api.request('POST', `/pipeline/articles/${id}/requeue`, { key: purse.key });
  expect(twice.status).toBe(409);
});

test('a cancelled run ends at the next boundary; the rest can be resumed', async () => {
  const { api } = stack;
  const { reached, goOn } = heldAt(stack, 'plan');
  const purse = await buildPurse(api, 100);
  const { id } = await startRun(api, purse.key, { topics: topics(1) });
  await reached;
  const cancelling = await api.request('POST', `/pipeline/runs/${id}/cancel`, { key: purse.key });
  expect([cancelling.status, cancelling.data.status]).toEqual([200, 'running']);
  goOn();
  const run = await ended(api, purse.key, id);
  expect(run).toMatchObject({
    status: 'cancelled',
    reason: 'cancelled',
    credits_spent: 4,
    totals: { stages_done: 3 },
  });
  const again = await api.request('POST', `/pipeline/runs/${id}/cancel`, { key: purse.key });
  expect(again.status).toBe(409);
  stack.writer = offlineWriter;
  const rest = await ended(api, purse.key, (await startRun(api, purse.key)).id);
  expect(rest).toMatchObject({ status: 'completed', credits_spent: 15 });
});

test('an article that a person changes while a stage runs keeps their text, and the run reports it', async () => {
  const { api } = stack;
  const { reached, goOn } = heldAt(stack, 'generate');
  const purse = await buildPurse(api, 100);
  const { id, articles } = await startRun(api, purse.key, { topics: topics(1) });
  await reached;
  const path = `/articles/${articles[0].article_id}`;
  const body = { content: 'My own words.' };
  expect((await api.request('PATCH', path, { key: purse.key, body })).status).toBe(200);
  goOn();
  const run = await ended(api, purse.key, id);
  expect(run.articles[0].error).toMatch(
    /was changed while the stage generate ran.* Left out of the stage's result: content\. The article lacks what its format requires: key_takeaways/,
  );
  expect((await get(purse.key, path)).content).toBe('My own words.');
});

test('an article that is deleted while a stage runs costs nothing more', async () => {
  const { api } = stack;
  const { reached, goOn } = heldAt(stack, 'generate');
  const purse = await buildPurse(api, 100);
  const { id, articles } = await startRun(api, purse.key, { topics: topics(1) });
  await reached;
  expect(
    (await api.request('DELETE', `/articles/${articles[0].article_id}`, { key: purse.key })).status,
  ).toBe(204);
  goOn();
  const run = await ended(api, purse.key, id);
  expect(run).toMatchObject({ status: 'completed', credits_spent: 4 });
  expect(run.articles[0]).toMatchObject({ status: null, stage: 'plan' });
  expect(await balances(api, purse.organisationId)).toEqual([96, 96]);
});

test('an article of a running run is not taken by another one', async () => {
  const { api } = stack;
  const { reached, goOn } = heldAt(stack, 'extract');
  const purse = await buildPurse(api, 100);
  const { id, articles } = await startRun(api, purse.key, { topics: topics(1) });
  await reached;
  for (const body of [{}, { article_ids: [articles[0].article_id] }, { resume_run_id: id }]) {
    const answer = await api.request('POST', '/pipeline/runs', { key: purse.key, body });
    expect([answer.status, answer.json.error.code]).toEqual([409, 'CONFLICT']);
  }
  goOn();
  await ended(api, purse.key, id);
});

test('its workflow can be found and queried', async () => {
  const { api, temporal } = stack;
  const purse = await buildPurse(api, 100);
  const { id } = await startRun(api, purse.key, { topics: topics(1) });
  await ended(api, purse.key, id);
  const handle = temporal.client.workflow.getHandle(workflowIdOf('pipeline-run', id));
  expect(await handle.result()).toBe('completed');
  await eventually('it is found by its run', async () => {
    const found = await temporal.client.workflow.count(
      `PipelineRunId = "${id}" and ProcessState = "completed"`,
    );
    return found.count === 1;
  });
  expect(await handle.query('progress')).toMatchObject({
    state: 'completed',
    stagesDone: 5,
    articlesLeft: 0,
  });
});

test('what a run writes is stored as revisions: the topic by the key, the texts by the pipeline', async () => {
  const { api } = stack;
  const { key } = await buildPurse(api, 100);
  const run = await startRun(api, key, { topics: topics(1) });
  expect((await ended(api, key, run.id)).status).toBe('completed');
  const path = `/articles/${run.articles[0].article_id}`;
  const { items } = (await api.request('GET', `${path}/revisions`, { key })).data;
  const [first, ...written] = items.toReversed();
  expect(first).toMatchObject({ number: 1, actor: { kind: 'key' }, changed: ['title', 'slug'] });
  expect(written.flatMap(({ changed }: any) => changed)).toContain('content');
  for (const { actor, changed } of written) {
    expect(actor).toEqual({ kind: 'system', id: null, name: 'pipeline' });
    expect(changed.length).toBeGreaterThan(0);
  }
  const { content } = (await api.request('GET', path, { key })).data;
  const newest = await api.request('GET', `${path}/revisions/${items[0].number}`, { key });
  expect(newest.data.article.content).toBe(content);
});

test('a run whose message was lost is started again by rescue', async () => {
  const { api } = stack;
  const purse = await buildPurse(api, 100);
  const created = await api.db.transaction((tx) =>
    createRun(
      { tx: { ...tx, notify: () => {} }, actor: operator, now: new Date(0) },
      { id: purse.siteId },
      { topics: [{ title: 'How to bake bread', notes: 'Warm water.' }] },
      'offline',
    ),
  );
  await api.db.pool.query(`delete from outbox where payload ->> 'runId' = $1`, [created.id]);
  expect(await api.db.transaction((tx) => rescueRuns(tx, new Date(), 60_000))).toBe(1);
  expect((await ended(api, purse.key, created.id)).status).toBe('completed');
});
