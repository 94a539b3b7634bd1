import { createGuardedClient } from '../../adapters/http/guarded-client.ts';
import { createModelWriter } from '../../adapters/writer/llm/writer.ts';
import { sql } from '../../db/sql.ts';
import { articleColumns, articleRow } from '../../domain/articles/row.ts';
import { closeStage, openStage } from '../../domain/pipeline/stage-execution.ts';
import type { FoundClaim } from '../../domain/pipeline/claims/claim.ts';
import { formOf, says, startModelServer } from '../adapters/writer/model-server.ts';
import type { ModelServer, Reaction } from '../adapters/writer/model-server.ts';
import { buildArticle } from '../support/builders.ts';
import { supported, unsupported } from '../support/claims.ts';
import { buildPurse, ended, startPipeline, startRun } from '../support/pipeline.ts';
import type { PipelineStack, Purse } from '../support/pipeline.ts';

const http = createGuardedClient();
let stack: PipelineStack;
let model: ModelServer;
let purse: Purse;

beforeAll(async () => {
  [stack, model] = await Promise.all([startPipeline(), startModelServer()]);
  const { jobProcesses } = stack;
  stack.writer = createModelWriter({ baseUrl: model.url, apiKey: 'key', model: 'test', http, jobProcesses });
});
beforeEach(async () => {
  purse = await buildPurse(stack.api, 1_000);
  model.asked.length = 0;
});
afterAll(async () => {
  await stack.close();
  await model.close();
  await http.close();
});

const SENTENCES = [
  'Green tea is brewed at 80 °C. [^1]',
  'Black tea needs **boiling** water. [^1]',
  'In 2024, 300 tons were picked. [^2]',
  'White tea is the oldest of all.',
];
const CONTENT = `${SENTENCES.join(' ')}\n\n${'Take your time with it. '.repeat(150)}`;
const sources = [
  { n: 1, url: 'https://tea.example/water', title: 'Water', published_at: null, accessed_at: null },
  { n: 2, url: 'https://tea.example/harvest', title: null, published_at: null, accessed_at: null },
];
const extracts = [
  { url: 'https://tea.example/water', text: 'Brew green tea at 80 °C.\nBlack tea needs boiling water.' },
  { url: 'https://tea.example/harvest', text: 'The harvest of 2024 was 300 tons, all picked by hand.' },
];
const draft = {
  content: CONTENT,
  excerpt: 'Tea.',
  seo_title: 'Tea',
  seo_description: 'Tea.',
  seo_keywords: ['tea'],
  key_takeaways: ['Take your time.'],
  faqs: [{ question: 'How hot?', answer: '80 °C.' }],
  howto_steps: [{ name: 'Boil', text: 'Boil water.' }],
  comparison: { title: null, columns: ['Green'], rows: [{ label: 'Heat', values: ['80 °C'] }] },
};

/** What a model says that does not quite keep to the truth. */
const answered: readonly FoundClaim[] = [
  supported('White tea is the oldest of all.', 1, 'White tea is the oldest of all teas.'),
  supported('Green tea is brewed at 80 °C.', 1, 'Brew green tea at 80 °C.'),
  supported('Black tea needs boiling water.', 2, 'Black tea needs boiling water.'),
  { ...supported('In 2024, 300 tons were picked.', 2, 'The harvest of 2024 was 300 tons'), verdict: 'weak' },
  supported('The text does not say this.', 1, 'Brew green tea at 80 °C.'),
];

const writes =
  (claims: () => object, content = CONTENT): Reaction =>
  (response, asked) =>
    says(JSON.stringify(formOf(asked) === 'claims' ? claims() : { ...draft, content }))(response, asked);

const call = (method: string, path: string, body?: object) =>
  stack.api.request(method, path, { key: purse.key, ...(body && { body }) });
// eslint-disable-next-line @typescript-eslint/no-explicit-any
const claimsOf = async (id: string): Promise<any[]> =>
  (await call('GET', `/articles/${id}/claims?limit=100`)).data.items;

/** An article that is to be improved, with its sources. */
async function generated(): Promise<string> {
  const { id } = await buildArticle(stack.api, purse.key, { title: 'Tea', content: 'Tea is old.' });
  const { pool } = stack.api.db;
  await pool.query(`update articles set status = 'generated', sources = $2 where id = $1`, [
    id,
    JSON.stringify(sources),
  ]);
  await pool.query(
    `insert into pipeline_articles (article_id, site_id, keywords, stage, extracts) values ($1, $2, '[]', 'generate', $3)`,
    [id, purse.siteId, JSON.stringify(extracts)],
  );
  return id;
}

const improve = async (id: string) =>
  ended(stack.api, purse.key, (await startRun(stack.api, purse.key, { article_ids: [id] })).id);

test('what the model says of the text is looked up: in the text, in the sources, and in what it cites', async () => {
  const id = await generated();
  model.reactions = [writes(() => ({ claims: answered }))];
  const run = await improve(id);
  expect(run.articles[0].status).toBe('needs_images');
  const claims = await claimsOf(id);
  expect(claims.map(({ text, verdict, source_n }) => [text, verdict, source_n])).toEqual([
    ['Green tea is brewed at 80 °C.', 'supported', 1],
    ['Black tea needs **boiling** water.', 'unsupported', null],
    ['In 2024, 300 tons were picked.', 'weak', 2],
    ['White tea is the oldest of all.', 'unsupported', null],
  ]);
  expect(claims[0].evidence).toBe('Brew green tea at 80 °C.');
  for (const { text, position: place } of claims)
    expect(Array.from(CONTENT).slice(place.start, place.end).join('')).toBe(text);
  // Two calls, one after another: the model of the stage is asked with the text and the extracts.
  expect(model.asked.map(formOf)).toEqual(['revision', 'claims']);
  const question = JSON.stringify(model.asked[1]?.body.messages);
  expect(question).toContain('The harvest of 2024 was 300 tons');
  expect(question).toContain('White tea is the oldest of all.');
  const { data: steps } = await call('GET', `/pipeline/runs/${run.id}/steps`);
  expect(steps.items).toMatchObject([{ stage: 'improve', tokens: { input: 22, output: 14 } }]);
  expect(steps.items[0].answer).toContain('The text does not say this.');
});

test('a wrong citation makes a claim weak', async () => {
  const id = await generated();
  const claims = [supported('In 2024, 300 tons were picked.', 1, 'Brew green tea at 80 °C.')];
  model.reactions = [writes(() => ({ claims }))];
  await improve(id);
  expect(await claimsOf(id)).toMatchObject([{ verdict: 'weak', source_n: 1 }]);
});

test('with too many claims without a source an article needs improvement, and the next stage replaces them', async () => {
  const id = await generated();
  await call('PATCH', '/site', { max_unsupported_claims: 49 });
  model.reactions = [writes(() => ({ claims: answered }))];
  const [{ status, error }] = (await improve(id)).articles;
  expect(status).toBe('needs_improvement');
  expect(error).toBe('2 of 4 claims have no source; at most 49 % may.');
  const before = await claimsOf(id);
  expect((await call('POST', `/pipeline/articles/${id}/requeue`)).status).toBe(202);
  model.reactions = [writes(() => ({ claims: answered.slice(0, 2) }))];
  await call('PATCH', '/site', { max_unsupported_claims: 50 });
  expect((await improve(id)).articles[0]).toMatchObject({ status: 'needs_images', error: null });
  const after = await claimsOf(id);
  expect(after).toHaveLength(2);
  expect(before.filter((one) => after.some((other) => one.id === other.id))).toEqual([]);
});

test('the claims are of the text that is stored: what a person wrote meanwhile', async () => {
  const id = await generated();
  const person = 'My own words. Green tea is brewed at 80 °C. [^1]';
  let isWritten: Promise<unknown> | undefined;
  model.reactions = [
    (response, asked) => {
      isWritten ??= call('PATCH', `/articles/${id}`, { content: person });
      void isWritten.then(() => writes(() => ({ claims: answered }))(response, asked));
    },
  ];
  await improve(id);
  expect((await call('GET', `/articles/${id}`)).data.content).toBe(person);
  expect((await claimsOf(id)).map(({ text, position }) => [text, position])).toEqual([
    ['Green tea is brewed at 80 °C.', { start: 14, end: 43 }],
    ['White tea is the oldest of all.', null],
    ['Black tea needs **boiling** water.', null],
    ['In 2024, 300 tons were picked.', null],
  ]);
});

test('an answer that does not fit after its second try fails the stage, and changes nothing', async () => {
  const id = await generated();
  model.reactions = [writes(() => ({ claims: 'none' }))];
  const run = await improve(id);
  expect(run.articles[0]).toMatchObject({ status: 'failed' });
  expect(run.credits_spent).toBe(0);
  expect((await call('GET', `/articles/${id}`)).data.content).toBe('Tea is old.');
  expect(await claimsOf(id)).toEqual([]);
  const [step] = (await call('GET', `/pipeline/runs/${run.id}/steps`)).data.items;
  expect(step).toMatchObject({ status: 'failed', tokens: { input: 33, output: 21 } });
});

test('a long text is asked about piece by piece, and has 300 claims at most', async () => {
  const id = await generated();
  const content = Array.from({ length: 700 }, (_, index) => `Tea number ${index} is very old.\n\n`).join('');
  model.reactions = [
    (response, asked) => {
      const said = asked.body.messages.at(-1)?.content.match(/Tea number \d+ is very old\./g) ?? [];
      writes(() => ({ claims: said.map(unsupported) }), content)(response, asked);
    },
  ];
  await improve(id);
  const { rows } = await stack.api.db.pool.query(
    'select text, start from article_claims where article_id = $1 order by start',
    [id],
  );
  expect(rows).toHaveLength(300);
  expect(rows.at(-1)).toEqual({
    text: 'Tea number 299 is very old.',
    start: content.indexOf('Tea number 299'),
  });
  const pieces = model.asked.filter((one) => formOf(one) === 'claims');
  expect(pieces.length).toBeGreaterThan(1);
  expect(pieces.length).toBeLessThan(10);
});

test('without a source nothing is asked, and every sentence is a claim without one', async () => {
  const id = await generated();
  await stack.api.db.pool.query(`update pipeline_articles set extracts = '[]' where article_id = $1`, [id]);
  model.reactions = [writes(() => ({ claims: [] }))];
  await improve(id);
  expect(model.asked.map(formOf)).toEqual(['revision']);
  const claims = await claimsOf(id);
  expect(claims.length).toBeGreaterThan(4);
  expect(new Set(claims.map(({ verdict }) => verdict))).toEqual(new Set(['unsupported']));
});

test('text, claims and status are stored together or not at all', async () => {
  const id = await generated();
  const { db } = stack.api;
  const { rows } = await db.pool.query(
    `insert into pipeline_runs (id, site_id, status, writer, stages_total, created_at, key_id)
     select uuidv7(), $1, 'running', 'llm', 1, now(), id from api_keys where site_id = $1 limit 1 returning id`,
    [purse.siteId],
  );
  const of = { runId: rows[0].id, siteId: purse.siteId, articleId: id };
  await db.pool.query(
    `insert into pipeline_run_articles (run_id, article_id, position, held) values ($1, $2, 0, true)`,
    [of.runId, id],
  );
  const opening = await db.transaction((tx) => openStage(tx, of, new Date()));
  if (opening.kind !== 'open') throw new Error(opening.kind);
  const step = { startedAt: new Date(), model: null, promptVersion: null, prompt: null, answer: null };
  const result = {
    destination: () => ({ status: 'queued' as const, note: null }),
    changes: { content: CONTENT },
    claims: { of: CONTENT, claims: [{ ...unsupported('White tea is the oldest of all.'), near: 105 }] },
    step: { ...step, inputTokens: null, outputTokens: null },
  };
  const close = (fails: boolean) =>
    db.transaction(async (tx) => {
      await closeStage(tx, of, opening.execution, result, new Date());
      if (fails) throw new Error('killed');
    });
  await expect(close(true)).rejects.toThrow('killed');
  const stored = async () =>
    db.transaction((tx) =>
      tx.one(sql.type(articleRow)`select ${articleColumns} from articles a where a.id = ${id}`),
    );
  expect(await stored()).toMatchObject({ status: 'generated', content: 'Tea is old.' });
  expect(await claimsOf(id)).toEqual([]);
  await close(false);
  // A late call of the same attempt does nothing.
  await close(false);
  expect(await stored()).toMatchObject({ status: 'queued', content: CONTENT });
  expect(await claimsOf(id)).toMatchObject([{ text: 'White tea is the oldest of all.' }]);
});
