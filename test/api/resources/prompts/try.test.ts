import { createFinishForgottenActivities } from '../../../../activities/housekeeping/finish-forgotten.ts';
import { systemClock } from '../../../../domain/kernel/clock.ts';
import { WriterError } from '../../../../domain/pipeline/writer.ts';
import type { Writer } from '../../../../domain/pipeline/writer.ts';
import { renderTemplate } from '../../../../domain/prompts/template.ts';
import { offlineWriter } from '../../../../adapters/writer/offline/writer.ts';
import { SearchFailed } from '../../../../adapters/research/research.ts';
import { createStageTrier } from '../../../../adapters/writer/try-stage.ts';
import { useApi } from '../../../support/api.ts';
import { buildAgent, ask, decideAs, sendAs } from '../../../support/approvals.ts';
import { buildArticle, buildKey } from '../../../support/builders.ts';
import { balances, buildPurse, readPage, startRun } from '../../../support/pipeline.ts';
import type { Purse } from '../../../support/pipeline.ts';
import { eventually } from '../../../support/eventually.ts';
import { silent } from '../../../support/temporal.ts';

let classify: Writer['classify'];
let questions: Writer['questions'];
let search: (question: string) => Promise<string[]>;
const read: (string | null)[] = [];
const api = await useApi({
  tryStage: createStageTrier({
    writer: {
      ...offlineWriter,
      name: 'llm',
      classify: (...args) => classify(...args),
      get questions() {
        return questions;
      },
    },
    research: { search: (question) => search(question) },
    sources: {
      read: async (url) => {
        read.push(url);
        return readPage(url, 'Rye bread needs a sourdough that is active.');
      },
    },
    jobProcesses: { renderPrompt: async (_, { template, values }) => renderTemplate(template, values) },
  }),
});
let purse: Purse;

beforeEach(async () => {
  purse = await buildPurse(api, 100);
  read.length = 0;
  questions = undefined;
  search = async () => [];
  classify = async () => ({
    value: { score: 80, reason: 'Good.' },
    answer: '{"score":80}',
    inputTokens: 12,
    outputTokens: 5,
  });
});

const topic = { title: 'How to bake rye bread', notes: 'Say {{title}}.' };
const attempt = (body: unknown, stage = 'classify', key = purse.key) =>
  api.request('POST', `/pipeline/prompts/${stage}/try`, { key, body });
const books = () => balances(api, purse.organisationId);
const open = async () =>
  (await api.db.pool.query('select from prompt_tries where site_id = $1', [purse.siteId])).rowCount;

const rendered = {
  missing_placeholders: expect.any(Array),
  answer: null,
  valid: null,
  problems: [],
  tokens: null,
  credits_spent: 0,
};

test('by default the prompt is only shown, which is free and fetches nothing', async () => {
  const { status, data } = await attempt(
    { template: '{{title}} {{notes}} {{nobody}}', topic: { ...topic, source_url: 'https://example.com/' } },
    'extract',
  );
  expect([status, data]).toEqual([
    200,
    { ...rendered, rendered: 'How to bake rye bread Say {{title}}. {{nobody}}' },
  ]);
  expect(data.missing_placeholders).toContain('sources');
  expect([read, await books()]).toEqual([[], [100, 100]]);
  const free = await buildPurse(api, 0, { plan: 'free' });
  expect((await attempt({ topic }, 'classify', free.key)).status).toBe(200);
});

test('without a template the one in effect is tried', async () => {
  await api.request('PATCH', '/pipeline/prompts/plan', {
    key: purse.key,
    body: { template: 'Plan {{title}}' },
  });
  const { data } = await attempt({ topic }, 'plan');
  expect(data.rendered).toBe('Plan How to bake rye bread');
});

test('asked for, the stage is done and charged, and nothing of it is kept', async () => {
  const { data } = await attempt({ topic, render_only: false });
  expect(data).toMatchObject({
    answer: '{"score":80}',
    valid: true,
    problems: [],
    tokens: { input: 12, output: 5 },
    credits_spent: 1,
  });
  const extracted = await attempt(
    { topic: { ...topic, source_urls: ['https://example.com/'] }, render_only: false },
    'extract',
  );
  expect(extracted.data.rendered).toContain('sourdough that is active');
  expect(JSON.parse(extracted.data.answer)).toEqual({
    facts: ['Rye bread needs a sourdough that is active. [^1]'],
  });
  expect([read, await books(), await open()]).toEqual([['https://example.com/'], [98, 98], 0]);
  const { items } = (await api.request('GET', '/usage/ledger', { key: purse.key })).data;
  expect(items[0]).toMatchObject({
    kind: 'charge',
    amount: -1,
    stage: 'extract',
    run_id: null,
    article_id: null,
  });
  const { rows } = await api.db.pool.query('select from articles where site_id = $1', [purse.siteId]);
  expect(rows).toEqual([]);
});

test.each([
  ['a model that fails', new WriterError('it answered 500.', { final: false, failedCalls: 1 })],
  [
    'an answer that cannot be used',
    new WriterError('its answer did not have the form.', { final: false, failedCalls: 2 }),
  ],
])('%s is told, and costs nothing', async (_, error) => {
  classify = () => Promise.reject(error);
  const { status, data } = await attempt({ topic, render_only: false });
  expect([status, data.valid, data.problems, data.credits_spent]).toEqual([200, false, [error.message], 0]);
  expect(data.rendered).toContain('How to bake rye bread');
  expect([await books(), await open()]).toEqual([[100, 100], 0]);
});

test('a try ends, and is refunded, when its client has gone', async () => {
  const controller = new AbortController();
  let given: AbortSignal | undefined;
  classify = (_, { signal }) => {
    given = signal;
    controller.abort();
    // Like a call of a model that is given up.
    return new Promise((_resolve, reject) =>
      signal.addEventListener('abort', () =>
        reject(new WriterError('it stopped.', { final: false, failedCalls: 1 })),
      ),
    );
  };
  const sent = fetch(`${api.origin}/v1/pipeline/prompts/classify/try`, {
    method: 'POST',
    headers: { authorization: `Bearer ${purse.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ topic, render_only: false }),
    signal: controller.signal,
  });
  await expect(sent).rejects.toThrow('aborted');
  await eventually('the try is settled', async () => given?.aborted && (await open()) === 0);
  expect(await books()).toEqual([100, 100]);
});

test('a failure on our side is refunded, too', async () => {
  classify = () => Promise.reject(new Error('no'));
  expect((await attempt({ topic, render_only: false })).status).toBe(500);
  expect([await books(), await open()]).toEqual([[100, 100], 0]);
});

test('a template that makes too long a prompt is told, and costs nothing', async () => {
  const template = '{{notes}}'.repeat(50);
  const long = { ...topic, notes: 'n'.repeat(5_000) };
  for (const render_only of [true, false]) {
    const { data } = await attempt({ template, topic: long, render_only });
    expect([data.rendered, data.valid, data.credits_spent]).toEqual(['', false, 0]);
    expect(data.problems[0]).toContain('at most 200000 are sent');
  }
  expect(await books()).toEqual([100, 100]);
});

describe('a try of extract searches as the stage does', () => {
  const extract = (values: object = {}) => attempt({ topic, render_only: false, ...values }, 'extract');

  test('and reads what was found', async () => {
    const searched: string[] = [];
    questions = async () => ({
      value: { questions: ['How long?', 'How warm?'] },
      answer: '{}',
      inputTokens: 20,
      outputTokens: 6,
    });
    const { domain } = (await api.request('GET', '/site', { key: purse.key })).data;
    search = async (question) => {
      searched.push(question);
      return [`https://${domain}/own`, 'https://found.example/'];
    };
    const { data } = await extract();
    expect(data).toMatchObject({
      valid: true,
      problems: [],
      tokens: { input: 20, output: 6 },
      credits_spent: 1,
    });
    expect([searched, read]).toEqual([['How long?', 'How warm?'], ['https://found.example/']]);
    expect(data.rendered).toContain('sourdough that is active');
  });

  test('and tells of a search that failed', async () => {
    search = () => Promise.reject(new SearchFailed('it answered 429'));
    expect((await extract()).data).toMatchObject({
      valid: true,
      problems: ['1 of 1 searches failed: it answered 429.'],
    });
  });

  test('and costs nothing without questions', async () => {
    questions = () => Promise.reject(new WriterError('it answered 503.', { final: false, failedCalls: 1 }));
    expect((await extract()).data).toMatchObject({
      valid: false,
      problems: ['it answered 503.'],
      credits_spent: 0,
    });
    const { rows } = await api.db.pool.query('select failed_calls from site_months where site_id = $1', [
      purse.siteId,
    ]);
    expect([rows[0].failed_calls, await books()]).toEqual([1, [100, 100]]);
  });

  test('but not where the prompt is only shown', async () => {
    search = () => Promise.reject(new Error('it was searched for'));
    expect((await extract({ render_only: true })).status).toBe(200);
  });
});

test('an article of the pipeline is tried as it stands, and stays as it is', async () => {
  const run = await startRun(api, purse.key, { topics: [topic] });
  const id = run.articles[0].article_id;
  const before = (await api.request('GET', `/articles/${id}`, { key: purse.key })).data;
  const { data } = await attempt({ template: '{{title}} {{notes}}', article_id: id, render_only: false });
  expect(data).toMatchObject({ rendered: 'How to bake rye bread Say {{title}}.', valid: true });
  expect((await attempt({ article_id: id }, 'improve')).status).toBe(200);
  expect((await api.request('GET', `/articles/${id}`, { key: purse.key })).data).toEqual(before);
});

describe('gates', () => {
  const refusal = async (body: unknown, stage?: string, key?: string) => {
    const { status, json } = await attempt(body, stage, key);
    return [status, json.error.code, Object.keys(json.error.fields ?? {})];
  };

  test('exactly one of topic and article, and an improvement needs an article', async () => {
    const { id } = await buildArticle(api, purse.key, { title: 'A draft' });
    expect(await refusal({})).toEqual([422, 'VALIDATION_FAILED', ['topic']]);
    expect(await refusal({ topic, article_id: id })).toEqual([422, 'VALIDATION_FAILED', ['topic']]);
    expect(await refusal({ topic }, 'improve')).toEqual([422, 'VALIDATION_FAILED', ['article_id']]);
    expect(await refusal({ article_id: id })).toEqual([422, 'VALIDATION_FAILED', ['article_id']]);
    expect(await refusal({ topic: { ...topic, category_id: id } })).toEqual([
      422,
      'VALIDATION_FAILED',
      ['topic.category_id'],
    ]);
    expect(await refusal({ topic, template: '' })).toEqual([422, 'VALIDATION_FAILED', ['template']]);
    expect(await refusal({ topic }, 'nothing')).toEqual([404, 'NOT_FOUND', []]);
    const other = await buildPurse(api, 100);
    const run = await startRun(api, other.key, { topics: [topic] });
    const theirs = run.articles[0].article_id;
    expect(await refusal({ article_id: theirs })).toEqual([422, 'VALIDATION_FAILED', ['article_id']]);
  });

  test('scopes, entitlement, credits, cap', async () => {
    const memberOf = async (scopes: string[]) => {
      const { rows } = await api.db.pool.query('select id from members where organisation_id = $1', [
        purse.organisationId,
      ]);
      return (await buildKey(api.db, purse.siteId, rows[0].id, { scopes: scopes as never })).secret;
    };
    for (const scopes of [['prompts:write'], ['pipeline:run']])
      expect(await refusal({ topic }, 'classify', await memberOf(scopes))).toEqual([
        403,
        'INSUFFICIENT_SCOPE',
        [],
      ]);
    const both = await memberOf(['prompts:write', 'pipeline:run']);
    expect((await attempt({ topic }, 'classify', both)).status).toBe(200);
    const paid = { topic, render_only: false };
    const free = await buildPurse(api, 100, { plan: 'free' });
    expect(await refusal(paid, 'classify', free.key)).toEqual([402, 'NOT_ENTITLED', []]);
    const poor = await buildPurse(api, 1);
    expect(await refusal(paid, 'plan', poor.key)).toEqual([402, 'INSUFFICIENT_CREDITS', []]);
    expect((await attempt(paid, 'classify', poor.key)).data.credits_spent).toBe(1);
    const capped = await buildPurse(api, 100, { spendCap: 0 });
    expect(await refusal(paid, 'classify', capped.key)).toEqual([402, 'SPEND_CAP_REACHED', []]);
  });

  test('of tries at once, no more are done than the balance pays', async () => {
    const poor = await buildPurse(api, 2);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => attempt({ topic, render_only: false }, 'classify', poor.key)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 402, 402, 402]);
    expect(await balances(api, poor.organisationId)).toEqual([0, 0]);
  });

  test('an agent asks a person first, for the prompt alone, too', async () => {
    const { rows } = await api.db.pool.query('select id from members where organisation_id = $1', [
      purse.organisationId,
    ]);
    const tenant = { ...purse, memberId: rows[0].id, secretKey: purse.key } as never;
    const { secret } = await buildAgent(api, tenant);
    for (const render_only of [true, false]) {
      const request = {
        method: 'POST',
        path: '/pipeline/prompts/classify/try',
        options: { body: { topic, render_only } },
      };
      const id = await ask(api, secret, request);
      await decideAs(api, purse.key, id);
      expect((await sendAs(api, secret, request, id)).data.credits_spent).toBe(render_only ? 0 : 1);
      expect((await sendAs(api, secret, request, id)).status).toBe(409);
    }
    expect(await books()).toEqual([99, 99]);
  });
});

test('a try whose process was lost is refunded by housekeeping, once', async () => {
  let reached = (): void => {};
  let goOn: (written: never) => void = () => undefined;
  const asked = new Promise<void>((resolve) => (reached = resolve));
  classify = () =>
    new Promise((resolve) => {
      goOn = resolve;
      reached();
    });
  const trying = attempt({ topic, render_only: false });
  await asked;
  expect([await books(), await open()]).toEqual([[99, 99], 1]);
  await api.db.pool.query(
    `update prompt_tries set created_at = created_at - interval '3 hours' where site_id = $1`,
    [purse.siteId],
  );
  const activities = createFinishForgottenActivities({
    db: api.db,
    clock: systemClock,
    log: silent,
    purger: null,
  });
  await activities.finishForgotten();
  expect([await books(), await open()]).toEqual([[100, 100], 0]);
  goOn({ value: { score: 1, reason: '' }, answer: '{}', inputTokens: 1, outputTokens: 1 } as never);
  expect((await trying).data.credits_spent).toBe(0);
  expect(await books()).toEqual([100, 100]);
});
