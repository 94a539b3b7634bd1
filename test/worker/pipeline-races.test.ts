import { stageCost, stages } from '../../domain/pipeline/stages.ts';
import { WriterError } from '../../domain/pipeline/writer.ts';
import { workflowIdOf } from '../../domain/kernel/workflow-messages.ts';
import { offlineWriter } from '../../adapters/writer/offline/writer.ts';
import { buildKey, buildMember, buildSite, buildTerm } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { balances, buildPurse, ended, heldAt, startPipeline, startRun, topics } from '../support/pipeline.ts';
import type { PipelineStack } from '../support/pipeline.ts';

let stack: PipelineStack;

beforeAll(async () => {
  stack = await startPipeline();
});
afterEach(() => {
  stack.writer = offlineWriter;
});
afterAll(() => stack.close());

const call = (method: string, key: string, path: string, body?: object) =>
  stack.api.request(method, path, { key, ...(body === undefined ? {} : { body }) });

/** A run's message about fields of a stage that were not written. */
const leftOut = (stage: string, ...fields: string[]): string =>
  `The article was changed while the stage ${stage} ran, and the change was kept. Left out of the stage's result: ${fields.join(', ')}.`;

test.each(stages)(
  'while the stage %s runs, a person’s change, publication or deletion takes precedence',
  async (stage) => {
    const { api } = stack;
    const { reached, goOn } = heldAt(stack, stage, 3);
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
    // An article without content cannot be published (docs/spec/rulings.md, 4).
    const publishable = stage === 'improve';
    const publishing = await call('POST', published.purse.key, `${published.path}/publish`);
    expect(publishing.status).toBe(publishable ? 200 : 409);
    expect((await call('DELETE', deleted.purse.key, deleted.path)).status).toBe(204);
    goOn();

    const [one, two, three] = await Promise.all(
      begun.map(({ purse, runId }) => ended(api, purse.key, runId)),
    );
    expect(one).toMatchObject({ status: 'completed', credits_spent: 19 });
    // Later stages add nothing that nobody has said.
    expect(one.articles[0].status).toBe('needs_improvement');
    const { error } = one.articles[0];
    expect(error).toContain('lacks what its format requires');
    // Earlier stages write nothing into the article, so nothing of them is left out.
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
  'changes of other fields than those of the stage %s, such as a deleted category, leave nothing out',
  async (stage) => {
    const { api } = stack;
    const purse = await buildPurse(api, 100);
    const category = await buildTerm(api, purse.key, 'categories');
    const { reached, goOn } = heldAt(stack, stage);
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
    expect(run.articles[0]).toMatchObject({
      status: 'needs_improvement',
      error: 'The article lacks what its format requires: key_takeaways.',
    });
    const written = (await call('GET', purse.key, path)).data;
    expect(written).toMatchObject({ category_id: null, ...image });
    expect(written.content).toBe('A warm kitchen makes it faster.');
    expect(written.seo_title).toContain('bread');
  },
);

test('an edit of two fields while a stage runs is kept, and the stage writes the others', async () => {
  const { api } = stack;
  const purse = await buildPurse(api, 100);
  const { reached, goOn } = heldAt(stack, 'improve');
  const held = stack.writer;
  const faqs = [{ question: 'Why?', answer: 'Because.' }];
  const better = {
    excerpt: 'Better.',
    seo_title: 'Better still',
    seo_keywords: ['better'],
    faqs,
    key_takeaways: ['Better.'],
  };
  stack.writer = {
    ...held,
    improve: async (...args) => {
      const written = await held.improve(...args);
      const content = `${written.value.content}\n\n${'Improved. '.repeat(700)}Improved.`;
      return { ...written, value: { ...written.value, ...better, content } };
    },
  };
  const { id, articles } = await startRun(api, purse.key, { topics: topics(1) });
  const path = `/articles/${articles[0].article_id}`;
  await reached;
  const mine = { excerpt: 'Mine.', faqs: [{ question: 'Whose?', answer: 'Mine.' }] };
  // The same as the stage's result: nothing is lost.
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

test('two Sites with one balance spend exactly its credits, each in its own ledger', async () => {
  const { api } = stack;
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
    // If it stopped, it stopped for lack of credits.
    const costs = articles
      .map(({ stage }: { stage: (typeof stages)[number] | null }) => stages.indexOf(stage as never) + 1)
      .filter((next: number) => next < stages.length)
      .map((next: number) => stageCost[stages[next]!]);
    expect(Math.max(...costs)).toBeGreaterThan(balance);
  }
});

test('a cancellation concurrent with the end of a run: one outcome, one event, correct balances', async () => {
  const { api } = stack;
  const { reached, goOn } = heldAt(stack, 'improve', 5);
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

test('a run whose workflow is terminated in Temporal refunds open charges, and releases its articles', async () => {
  const { api, temporal } = stack;
  const { reached, goOn } = heldAt(stack, 'plan');
  const purse = await buildPurse(api, 100);
  const { id } = await startRun(api, purse.key, { topics: topics(1) });
  await reached;
  await temporal.client.workflow.getHandle(workflowIdOf('pipeline-run', id)).cancel();
  expect(await ended(api, purse.key, id)).toMatchObject({ status: 'cancelled', credits_spent: 2 });
  expect(await balances(api, purse.organisationId)).toEqual([98, 98]);
  stack.writer = offlineWriter;
  const rest = await ended(api, purse.key, (await startRun(api, purse.key, { resume_run_id: id })).id);
  expect(rest).toMatchObject({ status: 'completed', credits_spent: 17 });
  // The late answer of the first run's writer is ignored.
  goOn();
  expect(await balances(api, purse.organisationId)).toEqual([81, 81]);
});

test('a run that is signalled by hand ends at its next boundary, like by the API', async () => {
  const { api, temporal } = stack;
  const { reached, goOn } = heldAt(stack, 'plan');
  const purse = await buildPurse(api, 100);
  const { id } = await startRun(api, purse.key, { topics: topics(1) });
  await reached;
  const workflow = temporal.client.workflow.getHandle(workflowIdOf('pipeline-run', id));
  await workflow.signal('cancel');
  await eventually('it shows it', async () => {
    const { state } = await workflow.query<{ state: string }>('progress');
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
  stack.writer = offlineWriter;
  const rest = await ended(api, purse.key, (await startRun(api, purse.key, { resume_run_id: id })).id);
  expect(rest).toMatchObject({ status: 'completed', credits_spent: 15 });
});

test('of eight concurrent runs that resume the same one, one takes it', async () => {
  const { api } = stack;
  const purse = await buildPurse(api, 2);
  const { id } = await startRun(api, purse.key, { topics: topics(1) });
  expect((await ended(api, purse.key, id)).status).toBe('partial');
  await api.db.pool.query('update organisations set credit_balance = 100 where id = $1', [
    purse.organisationId,
  ]);
  const { reached, goOn } = heldAt(stack, 'plan');
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

test('of concurrent requeues and a run, one takes effect, and no stage is paid twice', async () => {
  const { api } = stack;
  stack.writer = {
    ...offlineWriter,
    extract: () => Promise.reject(new WriterError('it answered 400.', { final: true })),
  };
  const purse = await buildPurse(api, 100);
  const first = await ended(api, purse.key, (await startRun(api, purse.key, { topics: topics(1) })).id);
  expect(first).toMatchObject({ status: 'failed', credits_spent: 1 });
  stack.writer = offlineWriter;
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

test('a prompt saved during a run is used from the next article at its stage, and its version is noted', async () => {
  const { api } = stack;
  const versions = async (runId: string) =>
    Object.fromEntries(
      (
        await api.db.pool.query('select stage, prompt_version from pipeline_steps where run_id = $1', [runId])
      ).rows.map(({ stage, prompt_version }) => [stage, prompt_version]),
    );
  const { reached, goOn } = heldAt(stack, 'extract');
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
  const next = await ended(
    api,
    purse.key,
    (await startRun(api, purse.key, { topics: topics(2).slice(1) })).id,
  );
  expect(await versions(next.id)).toEqual({ ...none, extract: 1, plan: 2 });
});
