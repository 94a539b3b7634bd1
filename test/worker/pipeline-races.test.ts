import { pipelineRunId } from '../../domain/pipeline/create-run.ts';
import { stageCost, stages } from '../../domain/pipeline/stages.ts';
import { WriterError } from '../../domain/pipeline/writer.ts';
import { offlineWriter } from '../../writer/offline/writer.ts';
import { buildKey, buildMember, buildSite, buildTerm } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { balances, buildPurse, ended, heldAt, startPipeline, startRun, topics } from '../support/pipeline.ts';
import type { PipelineWorld } from '../support/pipeline.ts';

let world: PipelineWorld;

beforeAll(async () => {
  world = await startPipeline();
});
afterEach(() => {
  world.writer = offlineWriter;
});
afterAll(() => world.close());

const call = (method: string, key: string, path: string, body?: object) =>
  world.api.request(method, path, { key, ...(body === undefined ? {} : { body }) });

/** How a run says that fields of a stage were not written. */
const leftOut = (stage: string, ...fields: string[]): string =>
  `The article was changed while the stage ${stage} ran, and the change was kept. Left out of the stage's result: ${fields.join(', ')}.`;

test.each(stages)(
  'while the stage %s runs, a person changes, publishes or deletes the article: that counts',
  async (stage) => {
    const { api } = world;
    const { reached, goOn } = heldAt(world, stage, 3);
    const begun = await Promise.all(
      [1, 2, 3].map(async () => {
        const purse = await buildPurse(api, 100);
        const run = await startRun(api, purse.key, { topics: topics(1) });
        return { purse, runId: run.id, path: `/articles/${run.articles[0].article_id}` };
      }),
    );
    const [changed, published, deleted] = begun as [
      (typeof begun)[number],
      (typeof begun)[number],
      (typeof begun)[number],
    ];
    await reached;
    const content = 'My own words.';
    expect((await call('PATCH', changed.purse.key, changed.path, { content })).status).toBe(200);
    expect((await call('PATCH', published.purse.key, published.path, { content })).status).toBe(200);
    // Before there is anything written, an article is not published (decisions 4).
    const publishable = stage === 'improve';
    const publishing = await call('POST', published.purse.key, `${published.path}/publish`);
    expect(publishing.status).toBe(publishable ? 200 : 409);
    expect((await call('DELETE', deleted.purse.key, deleted.path)).status).toBe(204);
    goOn();

    const [one, two, three] = await Promise.all(
      begun.map(({ purse, runId }) => ended(api, purse.key, runId)),
    );
    expect(one).toMatchObject({ status: 'completed', credits_spent: 19 });
    // The format's blocks come from the stages after it, but not the words.
    expect(one.articles[0].status).toBe('needs_improvement');
    const { error } = one.articles[0];
    expect(error).toContain('words; its format asks for');
    // The stages before it write nothing into the article, so that nothing of them is left out.
    if (stage === 'generate' || stage === 'improve') expect(error).toContain(leftOut(stage, 'content'));
    else expect(error).not.toContain('was changed');
    expect((await call('GET', changed.purse.key, changed.path)).data.content).toBe(content);

    const before = stages.slice(0, stages.indexOf(stage)).reduce((sum, each) => sum + stageCost[each], 0);
    const spent = publishable ? before : 19;
    expect(two).toMatchObject({ status: 'completed', credits_spent: spent });
    expect(two.articles[0].status).toBe(publishable ? 'published' : 'needs_improvement');
    expect((await call('GET', published.purse.key, published.path)).data.content).toBe(content);
    expect(three).toMatchObject({ status: 'completed', credits_spent: before });
    expect(three.articles[0].status).toBeNull();
    const left = await Promise.all(begun.map(({ purse }) => balances(api, purse.organisationId)));
    expect(left).toEqual([
      [81, 81],
      [100 - spent, 100 - spent],
      [100 - before, 100 - before],
    ]);
  },
);

test.each(['generate', 'improve'] as const)(
  'what does not concern the fields of the stage %s, such as a category that is deleted, leaves nothing out',
  async (stage) => {
    const { api } = world;
    const purse = await buildPurse(api, 100);
    const category = await buildTerm(api, purse.key, 'categories');
    const { reached, goOn } = heldAt(world, stage);
    const topic = { ...topics(1)[0], category_id: category.id };
    const { id, articles } = await startRun(api, purse.key, { topics: [topic] });
    const path = `/articles/${articles[0].article_id}`;
    await reached;
    const before = (await call('GET', purse.key, path)).data;
    expect(before.category_id).toBe(category.id);
    expect((await call('DELETE', purse.key, `/categories/${category.id}`)).status).toBe(204);
    const image = { featured_image_url: 'https://images.example.com/bread.png' };
    expect((await call('PATCH', purse.key, path, image)).status).toBe(200);
    goOn();
    const run = await ended(api, purse.key, id);
    expect(run).toMatchObject({ status: 'completed', credits_spent: 19 });
    expect(run.articles[0]).toMatchObject({ status: 'queued', error: null });
    const written = (await call('GET', purse.key, path)).data;
    expect(written).toMatchObject({ category_id: null, ...image });
    expect(written.content.length).toBeGreaterThan(1_000);
    expect(written.seo_title).toContain('bread');
  },
);

test('an edit of two fields while a stage runs keeps these two, and the stage writes the others', async () => {
  const { api } = world;
  const purse = await buildPurse(api, 100);
  const { reached, goOn } = heldAt(world, 'improve');
  const held = world.writer;
  const faqs = [{ question: 'Why?', answer: 'Because.' }];
  const better = { excerpt: 'Better.', seo_title: 'Better still', seo_keywords: ['better'], faqs };
  world.writer = {
    ...held,
    improve: async (...args) => {
      const written = await held.improve(...args);
      const content = `${written.value.content}\n\nImproved.`;
      return { ...written, value: { ...written.value, ...better, content } };
    },
  };
  const { id, articles } = await startRun(api, purse.key, { topics: topics(1) });
  const path = `/articles/${articles[0].article_id}`;
  await reached;
  const mine = { excerpt: 'Mine.', faqs: [{ question: 'Whose?', answer: 'Mine.' }] };
  // The same as the stage comes to: nothing is lost.
  const agreed = { seo_title: better.seo_title };
  expect((await call('PATCH', purse.key, path, { ...mine, ...agreed })).status).toBe(200);
  goOn();
  const run = await ended(api, purse.key, id);
  expect(run.articles[0]).toMatchObject({
    status: 'needs_images',
    error: leftOut('improve', 'excerpt', 'faqs'),
  });
  const article = (await call('GET', purse.key, path)).data;
  expect(article).toMatchObject({ ...mine, ...agreed, seo_keywords: ['better'] });
  expect(article.content).toMatch(/Improved\.$/);
});

test('two Sites that run on one balance spend it to the credit, each on its own account', async () => {
  const { api } = world;
  const purse = await buildPurse(api, 50);
  const otherSite = await buildSite(api.db, purse.organisationId);
  const member = await buildMember(api.db, purse.organisationId);
  const keys = [purse.key, (await buildKey(api.db, otherSite, member)).secret];
  const runs = await Promise.all(keys.map((key) => startRun(api, key, { topics: topics(3) })));
  const done = await Promise.all(runs.map(({ id }, index) => ended(api, keys[index]!, id)));
  const spent = done.map(({ credits_spent }) => credits_spent);
  const [balance, ledger] = await balances(api, purse.organisationId);
  expect([balance, ledger]).toEqual([50 - spent[0] - spent[1], balance]);
  for (const [index, { status, reason, articles }] of done.entries()) {
    expect([status, reason]).toEqual(['partial', 'insufficient_credits']);
    const { usage } = (await call('GET', keys[index]!, '/usage')).data;
    expect(usage.credits_spent).toBe(spent[index]);
    // Where it stopped, it stopped for want of credits.
    const costs = articles
      .map(({ stage }: { stage: (typeof stages)[number] | null }) => stages.indexOf(stage as never) + 1)
      .filter((next: number) => next < stages.length)
      .map((next: number) => stageCost[stages[next]!]);
    expect(Math.max(...costs)).toBeGreaterThan(balance);
  }
});

test('a cancel that races the end of a run: one outcome, one event, the books right', async () => {
  const { api } = world;
  const { reached, goOn } = heldAt(world, 'improve', 5);
  const begun = await Promise.all(
    [1, 2, 3, 4, 5].map(async () => {
      const purse = await buildPurse(api, 100);
      return { purse, id: (await startRun(api, purse.key, { topics: topics(1) })).id };
    }),
  );
  await reached;
  goOn();
  const answers = await Promise.all(
    begun.map(async ({ purse, id }, index) => {
      await new Promise((resolve) => setTimeout(resolve, index * 15));
      return call('POST', purse.key, `/pipeline/runs/${id}/cancel`);
    }),
  );
  expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
  for (const { purse, id } of begun) {
    const run = await ended(api, purse.key, id);
    expect(['completed', 'cancelled']).toContain(run.status);
    const { items } = (await call('GET', purse.key, '/events?event=pipeline_run.finished')).data;
    expect(items.map(({ data }: { data: unknown }) => data)).toEqual([run]);
    expect(await balances(api, purse.organisationId)).toEqual([81, 81]);
  }
});

test('a run whose process is ended by Temporal’s means gives back what is open, and lets go of its articles', async () => {
  const { api, temporal } = world;
  const { reached, goOn } = heldAt(world, 'plan');
  const purse = await buildPurse(api, 100);
  const { id } = await startRun(api, purse.key, { topics: topics(1) });
  await reached;
  await temporal.client.workflow.getHandle(pipelineRunId(id)).cancel();
  expect(await ended(api, purse.key, id)).toMatchObject({ status: 'cancelled', credits_spent: 2 });
  expect(await balances(api, purse.organisationId)).toEqual([98, 98]);
  world.writer = offlineWriter;
  const rest = await ended(api, purse.key, (await startRun(api, purse.key, { resume_run_id: id })).id);
  expect(rest).toMatchObject({ status: 'completed', credits_spent: 17 });
  // What the first run's writer says now, nobody waits for.
  goOn();
  expect(await balances(api, purse.organisationId)).toEqual([81, 81]);
});

test('a run that is sent the signal by hand ends at its next boundary, as by the API', async () => {
  const { api, temporal } = world;
  const { reached, goOn } = heldAt(world, 'plan');
  const purse = await buildPurse(api, 100);
  const { id } = await startRun(api, purse.key, { topics: topics(1) });
  await reached;
  const process = temporal.client.workflow.getHandle(pipelineRunId(id));
  await process.signal('cancel');
  await eventually('it shows it', async () => {
    const { state } = await process.query<{ state: string }>('progress');
    return state === 'cancelling';
  });
  goOn();
  expect(await ended(api, purse.key, id)).toMatchObject({
    status: 'cancelled',
    reason: 'cancelled',
    credits_spent: 4,
    totals: { stages_done: 3 },
  });
  expect(await balances(api, purse.organisationId)).toEqual([96, 96]);
  world.writer = offlineWriter;
  const rest = await ended(api, purse.key, (await startRun(api, purse.key, { resume_run_id: id })).id);
  expect(rest).toMatchObject({ status: 'completed', credits_spent: 15 });
});

test('eight runs that resume the same one: one takes it', async () => {
  const { api } = world;
  const purse = await buildPurse(api, 2);
  const { id } = await startRun(api, purse.key, { topics: topics(1) });
  expect((await ended(api, purse.key, id)).status).toBe('partial');
  await api.db.pool.query('update organisations set credit_balance = 100 where id = $1', [
    purse.organisationId,
  ]);
  const { reached, goOn } = heldAt(world, 'plan');
  const body = { resume_run_id: id };
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => call('POST', purse.key, '/pipeline/runs', body)),
  );
  await reached;
  goOn();
  expect(answers.map(({ status }) => status).toSorted()).toEqual([
    202,
    ...Array.from({ length: 7 }, () => 409),
  ]);
  const taken = answers.find(({ status }) => status === 202)!;
  expect(await ended(api, purse.key, taken.data.id)).toMatchObject({
    status: 'completed',
    credits_spent: 17,
  });
});

test('requeues that race each other and a run: one of them counts, and no stage is paid twice', async () => {
  const { api } = world;
  world.writer = {
    ...offlineWriter,
    extract: () => Promise.reject(new WriterError('it answered 400.', { final: true })),
  };
  const purse = await buildPurse(api, 100);
  const first = await ended(api, purse.key, (await startRun(api, purse.key, { topics: topics(1) })).id);
  expect(first).toMatchObject({ status: 'failed', credits_spent: 1 });
  world.writer = offlineWriter;
  const path = `/pipeline/articles/${first.articles[0].article_id}/requeue`;
  const [running, ...requeues] = await Promise.all([
    call('POST', purse.key, '/pipeline/runs'),
    ...[1, 2, 3].map(() => call('POST', purse.key, path)),
  ]);
  expect(requeues.map(({ status }) => status).toSorted()).toEqual([202, 409, 409]);
  const run = running.status === 202 ? running.data : await startRun(api, purse.key);
  expect(await ended(api, purse.key, run.id)).toMatchObject({ status: 'completed', credits_spent: 18 });
  expect(await balances(api, purse.organisationId)).toEqual([81, 81]);
});

test('a prompt that is saved while a run is under way counts from the next article at its stage, and is noted', async () => {
  const { api } = world;
  const versions = async (runId: string) =>
    Object.fromEntries(
      (
        await api.db.pool.query('select stage, prompt_version from pipeline_steps where run_id = $1', [runId])
      ).rows.map(({ stage, prompt_version }) => [stage, prompt_version]),
    );
  const { reached, goOn } = heldAt(world, 'extract');
  const purse = await buildPurse(api, 100);
  const save = (stage: string, template: string) =>
    call('PATCH', purse.key, `/pipeline/prompts/${stage}`, { template });
  const { id } = await startRun(api, purse.key, { topics: topics(1) });
  await reached;
  expect((await save('extract', 'Facts of {{title}}.')).status).toBe(200);
  await save('plan', 'Outline {{title}}.');
  expect((await save('plan', 'Outline {{title}} well.')).data.version).toBe(2);
  goOn();
  await ended(api, purse.key, id);
  const none = { classify: null, generate: null, improve: null };
  expect(await versions(id)).toEqual({ ...none, extract: null, plan: 2 });
  const next = await ended(api, purse.key, (await startRun(api, purse.key, { topics: topics(1) })).id);
  expect(await versions(next.id)).toEqual({ ...none, extract: 1, plan: 2 });
});
