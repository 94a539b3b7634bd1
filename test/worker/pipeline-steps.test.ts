import { eraseMember } from '../../domain/leaving/erase-member.ts';
import { operator } from '../../domain/audit/record.ts';
import { WriterError } from '../../domain/pipeline/writer.ts';
import type { Writer } from '../../domain/pipeline/writer.ts';
import { workflowIdOf } from '../../domain/kernel/workflow-messages.ts';
import { offlineWriter } from '../../adapters/writer/offline/writer.ts';
import { buildArticle, buildKey, buildMember } from '../support/builders.ts';
import { buildPurse, ended, heldAt, startPipeline, startRun, topics } from '../support/pipeline.ts';
import type { PipelineStack, Purse } from '../support/pipeline.ts';

let stack: PipelineStack;
let purse: Purse;

beforeAll(async () => {
  stack = await startPipeline();
});
beforeEach(async () => {
  purse = await buildPurse(stack.api, 1_000);
});
afterEach(() => {
  stack.writer = offlineWriter;
});
afterAll(() => stack.close());

const call = (method: string, path: string, key = purse.key) => stack.api.request(method, path, { key });
// eslint-disable-next-line @typescript-eslint/no-explicit-any
const stepsOf = async (runId: string, key = purse.key): Promise<any[]> =>
  (await call('GET', `/pipeline/runs/${runId}/steps?limit=100`, key)).data.items;

const ANSWER = '{"answer": "of the model"}';

/** A model that writes what the offline writer does, and fails the first times that it is to classify. */
function model(failures: readonly WriterError[] = []): Writer {
  const waiting = [...failures];
  return {
    ...offlineWriter,
    name: 'llm',
    modelOf: (stage) => `model-of-${stage}`,
    async classify(...args) {
      const failure = waiting.shift();
      if (failure) throw failure;
      const written = await offlineWriter.classify(...args);
      return { ...written, answer: ANSWER, inputTokens: 100, outputTokens: 10 };
    },
  };
}

const nonsense = () =>
  new WriterError('its answer did not have the form that was asked for.', {
    final: false,
    retryAfterMs: 1,
    failedCalls: 2,
  }).after({ answer: 'Nonsense!', inputTokens: 40, outputTokens: 4 });

async function finished(body: object = { topics: topics(1) }) {
  const run = await startRun(stack.api, purse.key, body);
  return ended(stack.api, purse.key, run.id);
}

test('every attempt at a stage is a step, with what was asked, answered and used', async () => {
  stack.writer = model([nonsense()]);
  const run = await finished();
  const steps = await stepsOf(run.id);
  expect(steps.map(({ stage, attempt, status, credits }) => [stage, attempt, status, credits])).toEqual([
    ['classify', 1, 'failed', 0],
    ['classify', 2, 'succeeded', 1],
    ['extract', 1, 'succeeded', 1],
    ['plan', 1, 'succeeded', 2],
    ['generate', 1, 'succeeded', 10],
    ['improve', 1, 'succeeded', 5],
  ]);
  const [failed, succeeded] = steps;
  expect(failed).toMatchObject({
    article_id: run.articles[0].article_id,
    model: 'model-of-classify',
    tokens: { input: 40, output: 4 },
    error: { code: 'WRITER_FAILED', message: 'its answer did not have the form that was asked for.' },
    answer: 'Nonsense!',
  });
  expect(failed.prompt).toContain('How to bake bread');
  expect(succeeded).toMatchObject({
    tokens: { input: 100, output: 10 },
    error: null,
    prompt: failed.prompt,
    answer: ANSWER,
  });
  for (const { started_at: begun, finished_at: done } of steps) expect(begun <= done).toBe(true);
  expect(new Set(steps.map(({ id }) => id)).size).toBe(steps.length);
  expect(run.tokens).toEqual({ input: 140, output: 14 });
  expect(run.credits_spent).toBe(steps.reduce((sum, { credits }) => sum + credits, 0));
  expect((await stepsOf(run.id)).map(({ id }) => id)).toEqual(steps.map(({ id }) => id));
});

test('no history in Temporal has a prompt or an answer', async () => {
  stack.writer = model([nonsense()]);
  const run = await finished();
  const history = await stack.temporal.client.workflow
    .getHandle(workflowIdOf('pipeline-run', run.id))
    .fetchHistory();
  const payloads = Buffer.from(JSON.stringify(history)).toString();
  const decoded = payloads.replaceAll(/"([A-Za-z0-9+/=]{8,})"/g, (_, text: string) =>
    Buffer.from(text, 'base64').toString(),
  );
  const [{ prompt }] = await stepsOf(run.id);
  for (const text of ['Nonsense!', 'of the model', (prompt as string).slice(0, 40)]) {
    expect(payloads).not.toContain(text);
    expect(decoded).not.toContain(text);
  }
});

test('the built-in writer asks nothing, and uses no tokens', async () => {
  const run = await finished();
  const [step] = await stepsOf(run.id);
  expect(step).toMatchObject({ model: null, tokens: null, prompt: null, answer: null });
  expect(run.tokens).toBeNull();
});

test('prompts and answers are shown with prompts.manage alone, and nothing to another Site', async () => {
  stack.writer = model();
  const run = await finished();
  const viewer = await buildMember(stack.api.db, purse.organisationId, 'viewer');
  const { secret } = await buildKey(stack.api.db, purse.siteId, viewer);
  const [seen] = await stepsOf(run.id, secret);
  expect(seen).toMatchObject({ stage: 'classify', prompt: null, answer: null, tokens: { input: 100 } });
  const other = await buildPurse(stack.api, 0);
  expect((await call('GET', `/pipeline/runs/${run.id}/steps`, other.key)).status).toBe(404);
});

test('pages lead through all steps in their order, also if each is large', async () => {
  stack.writer = model();
  const run = await finished({ topics: topics(4) });
  await stack.api.db.pool.query(
    `update pipeline_steps set answer = repeat('a', 1000000), prompt = repeat(chr(1), 200000) where run_id = $1`,
    [run.id],
  );
  const whole = await stepsOf(run.id, (await viewerKey()).secret);
  for (const limit of [3, 100]) {
    const ids = [];
    let pages = 0;
    for (let cursor = ''; ;) {
      const { data } = await call('GET', `/pipeline/runs/${run.id}/steps?limit=${limit}${cursor}`);
      ids.push(...data.items.map(({ id }: { id: string }) => id));
      pages += 1;
      if (data.next_cursor === null) break;
      cursor = `&cursor=${data.next_cursor}`;
    }
    expect(ids).toEqual(whole.map(({ id }) => id));
    expect(pages).toBeGreaterThan(2);
  }
  const times = whole.map(({ finished_at: time }) => time);
  expect(times).toEqual(times.toSorted());
});

const viewerKey = async () =>
  buildKey(stack.api.db, purse.siteId, await buildMember(stack.api.db, purse.organisationId, 'viewer'));

test('an attempt whose article left the pipeline meanwhile is a failed step', async () => {
  const { reached, goOn } = heldAt(stack, 'classify');
  const run = await startRun(stack.api, purse.key, { topics: topics(1) });
  await reached;
  await call('DELETE', `/articles/${run.articles[0].article_id}`);
  goOn();
  await ended(stack.api, purse.key, run.id);
  expect(await stepsOf(run.id)).toMatchObject([
    { stage: 'classify', attempt: 1, status: 'failed', credits: 0, error: { code: 'CONFLICT' } },
  ]);
});

test('a failure on our side is a step, without what was asked', async () => {
  let failures = 1;
  const writer = model();
  stack.writer = {
    ...writer,
    classify: (...args) =>
      (failures -= 1) === 0 ? Promise.reject(new Error('a secret')) : writer.classify(...args),
  };
  const run = await finished();
  const [failed, succeeded] = await stepsOf(run.id);
  expect(failed).toMatchObject({
    attempt: 1,
    status: 'failed',
    prompt: null,
    error: { code: 'INTERNAL_ERROR', message: 'Something failed on our side.' },
  });
  expect(succeeded).toMatchObject({ stage: 'classify', attempt: 2, status: 'succeeded' });
});

test('a stage that fails for good says so, and is not charged', async () => {
  stack.writer = model([new WriterError('it answered 400.', { final: true })]);
  const run = await finished();
  expect(run).toMatchObject({ status: 'failed', credits_spent: 0 });
  expect(await stepsOf(run.id)).toMatchObject([
    { status: 'failed', credits: 0, tokens: null, error: { message: 'it answered 400.' } },
  ]);
});

test('what the pipeline knows of an article: score, outline, the newest attempt at each stage', async () => {
  const { reached, goOn } = heldAt(stack, 'plan');
  const run = await startRun(stack.api, purse.key, { topics: topics(1) });
  const id = run.articles[0].article_id;
  const path = `/pipeline/articles/${id}`;
  const read = async () => (await call('GET', path)).data;
  const nothing = { duplicate_of: null, suggestions: null, sources: null, rejected: null };
  await reached;
  const midway = await read();
  expect(midway).toMatchObject({ article_id: id, status: 'scraped', outline: null, ...nothing });
  expect(midway.score).toBeGreaterThanOrEqual(50);
  expect(midway.stages).toMatchObject([
    { stage: 'classify', status: 'succeeded', run_id: run.id, finished_at: expect.any(String) },
    { stage: 'extract', status: 'succeeded' },
    { stage: 'plan', status: 'running', run_id: run.id, finished_at: null },
  ]);
  goOn();
  await ended(stack.api, purse.key, run.id);
  const after = await read();
  expect(after).toMatchObject({
    status: 'needs_improvement',
    ...nothing,
    suggestions: { titles: [], tag_ids: [], excerpt: 'A warm kitchen makes it faster.' },
  });
  expect(after.outline.sections[0]).toMatchObject({ heading: expect.any(String), points: expect.any(Array) });
  const stages = ['classify', 'extract', 'plan', 'generate', 'improve'];
  expect(after.stages.map(({ stage, status }: Record<string, string>) => [stage, status])).toEqual(
    stages.map((stage) => [stage, 'succeeded']),
  );
  const steps = await stepsOf(run.id);
  expect(after.stages[4].finished_at).toBe(steps.at(-1).finished_at);
  expect((await call('POST', `/articles/${id}/publish`)).status).toBe(200);
  expect(await read()).toMatchObject({ status: 'published', score: midway.score });
});

test('an attempt that failed is the newest, and one that never was in the pipeline is 404', async () => {
  stack.writer = model([new WriterError('it answered 400.', { final: true })]);
  const run = await finished();
  const { data } = await call('GET', `/pipeline/articles/${run.articles[0].article_id}`);
  expect(data).toMatchObject({
    status: 'failed',
    score: null,
    stages: [{ stage: 'classify', status: 'failed' }],
  });
  const { id } = await buildArticle(stack.api, purse.key);
  expect((await call('GET', `/pipeline/articles/${id}`)).status).toBe(404);
  const other = await buildPurse(stack.api, 0);
  const foreign = await call('GET', `/pipeline/articles/${run.articles[0].article_id}`, other.key);
  expect(foreign.status).toBe(404);
});

test('a rejected article says who rejected it, when and why, until it is requeued', async () => {
  const run = await finished();
  const path = `/pipeline/articles/${run.articles[0].article_id}`;
  const editor = await buildMember(stack.api.db, purse.organisationId, 'editor');
  const { secret } = await buildKey(stack.api.db, purse.siteId, editor);
  const rejection = await stack.api.request('POST', `${path}/reject`, {
    key: secret,
    body: { reason: 'Twice told.' },
  });
  expect(rejection.status).toBe(200);
  const { rejected } = (await call('GET', path)).data;
  expect(rejected).toMatchObject({ by: { id: editor }, reason: 'Twice told.' });
  await call('POST', `${path}/requeue`);
  expect((await call('GET', path)).data).toMatchObject({ status: 'needs_improvement', rejected: null });
});

test('steps are shown for 30 days; the run keeps its tokens', async () => {
  stack.writer = model();
  const run = await finished();
  await stack.api.db.pool.query(
    `update pipeline_steps set created_at = created_at - case stage when 'classify' then interval '31 days'
      else interval '29 days' end where run_id = $1`,
    [run.id],
  );
  expect((await stepsOf(run.id)).map(({ stage }) => stage)).toEqual([
    'extract',
    'plan',
    'generate',
    'improve',
  ]);
  expect((await call('GET', `/pipeline/runs/${run.id}`)).data.tokens).toEqual({ input: 100, output: 10 });
});

test('the address of a person who is erased is gone from prompts, answers and reasons', async () => {
  const { db } = stack.api;
  stack.writer = model();
  const run = await finished();
  const id = run.articles[0].article_id;
  const person = await buildMember(db, purse.organisationId, 'editor');
  const { rows } = await db.pool.query('select email from members where id = $1', [person]);
  const email = rows[0].email as string;
  await db.pool.query(`update pipeline_steps set prompt = $2, answer = $3 where run_id = $1`, [
    run.id,
    `Ask ${email}.`,
    `I asked ${email.toUpperCase()}.`,
  ]);
  const reason = `Says ${email}.`;
  await stack.api.request('POST', `/pipeline/articles/${id}/reject`, { key: purse.key, body: { reason } });
  await db.transaction((tx) =>
    eraseMember({ tx, actor: operator, now: new Date() }, person, { confirm: email, by: 'operator' }),
  );
  for (const { prompt, answer } of await stepsOf(run.id))
    expect([prompt, answer]).toEqual(['Ask erased.', 'I asked erased.']);
  const known = await db.pool.query('select rejected_reason from pipeline_articles where article_id = $1', [
    id,
  ]);
  expect(known.rows).toEqual([{ rejected_reason: 'Says erased.' }]);
});
