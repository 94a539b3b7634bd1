import type { Stage } from '../../domain/pipeline/stages.ts';
import type { Brief } from '../../domain/pipeline/writer.ts';
import { offlineWriter } from '../../adapters/writer/offline/writer.ts';
import { buildArticle } from '../support/builders.ts';
import {
  balances,
  buildPurse,
  ended,
  noSources,
  readPage,
  startPipeline,
  startRun,
} from '../support/pipeline.ts';
import type { PipelineStack, Purse } from '../support/pipeline.ts';

let stack: PipelineStack;
let purse: Purse;
/** What the writer was asked, by stage. */
let asked: Record<string, Brief[]>;

beforeAll(async () => {
  stack = await startPipeline();
});
beforeEach(async () => {
  purse = await buildPurse(stack.api, 1_000);
  asked = {};
});
afterEach(() => {
  stack.writer = offlineWriter;
  stack.sources = noSources;
});
afterAll(() => stack.close());

const call = async (method: string, path: string, body?: unknown): Promise<any> => {
  const answer = await stack.api.request(method, path, {
    key: purse.key,
    body,
    ...(method === 'POST' && { idempotencyKey: true as const }),
  });
  if (answer.status > 299) throw new Error(answer.text);
  return answer.data;
};

/** A model that does what it is told: prompts are made for it. */
function listen(): void {
  const stage =
    <Name extends Stage>(name: Name) =>
    (brief: Brief, attempt: never) => {
      (asked[name] ??= []).push(brief);
      return offlineWriter[name](brief, attempt) as never;
    };
  stack.writer = {
    name: 'llm',
    modelOf: () => 'test',
    classify: stage('classify'),
    extract: stage('extract'),
    plan: stage('plan'),
    generate: stage('generate'),
    improve: stage('improve'),
  };
}

const finished = async (body: object): Promise<any> =>
  ended(stack.api, purse.key, (await startRun(stack.api, purse.key, body)).id);

const published = async (title: string, values: object = {}): Promise<any> => {
  const slug = title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  const article = await buildArticle(stack.api, purse.key, { title, slug, content: 'Text.', ...values });
  await call('POST', `/articles/${article.id}/publish`);
  return { ...article, slug };
};

const EVERYTHING =
  'S={{site}} V={{voice}} N={{notes}} R={{related}} T={{terms}} U={{sources}} D={{date}} X={{nobody}}';
const stages = ['classify', 'extract', 'plan', 'generate', 'improve'];

test('every stage may be told about the blog, the topic and the voice', async () => {
  listen();
  await call('PATCH', '/site', { name: 'The {{title}} Loaf', timezone: 'Pacific/Kiritimati' });
  const near = await published('Sourdough starters for rye', { excerpt: 'How to\nkeep one.' });
  await published('Repairing bicycles');
  await buildArticle(stack.api, purse.key, { title: 'Rye that is not public', slug: 'secret' });
  await call('POST', '/categories', { name: 'Baking' });
  await call('POST', '/tags', { name: 'Grain' });
  await call('PATCH', '/pipeline/voice', {
    audience: 'Home bakers',
    do: ['Use grams.'],
    avoid: ['Jokes.'],
    vocabulary: [{ use: 'starter', instead_of: ['levain'] }],
    sample_article_ids: [near.id],
  });
  for (const stage of stages) await call('PATCH', `/pipeline/prompts/${stage}`, { template: EVERYTHING });
  const run = await finished({
    topics: [
      { title: 'How to bake rye bread', keywords: ['sourdough'], notes: 'Mention {{voice}} $& salt.' },
    ],
  });
  expect(run.articles[0]).toMatchObject({ duplicate_of: null, score: expect.any(Number) });
  const { domain } = await call('GET', '/site');
  for (const stage of stages) {
    const { prompt = '' } = asked[stage]?.[0] ?? {};
    expect(prompt).toContain(`S=Name: The {{title}} Loaf\nDomain: ${domain}\nLocale: en V=`);
    expect(prompt).toContain(
      'Readers: Home bakers\nDo:\n- Use grams.\nAvoid:\n- Jokes.\nWords:\n- starter, instead of levain',
    );
    expect(prompt).toContain('from “Sourdough starters for rye”:\nText.');
    expect(prompt).toContain('N=Mention {{voice}} $& salt. R=');
    expect(prompt).toContain(
      `- Sourdough starters for rye: https://${domain}/sourdough-starters-for-rye\n  How to keep one.`,
    );
    expect(prompt).not.toContain('secret');
    expect(prompt).not.toContain('bicycles');
    expect(prompt).toContain('T=Categories: Baking\nTags: Grain U= D=20');
    expect(prompt).toMatch(/D=\d{4}-\d{2}-\d{2} X=\{\{nobody\}\}$/);
  }
});

test('of a blog that nothing is known of, the placeholders are empty', async () => {
  listen();
  await call('PATCH', '/pipeline/prompts/classify', {
    template: '<{{voice}}{{notes}}{{related}}{{terms}}{{sources}}>',
  });
  await finished({ topics: [{ title: 'How to bake rye bread' }] });
  expect(asked['classify']?.[0]?.prompt).toBe('<>');
});

test('what is told is bounded, however much there is', async () => {
  listen();
  await call('PATCH', '/pipeline/voice', {
    vocabulary: Array.from({ length: 200 }, () => ({ use: 'ü'.repeat(300), instead_of: ['x'.repeat(300)] })),
  });
  await call('PATCH', '/pipeline/prompts/classify', { template: '{{voice}}' });
  await finished({ topics: [{ title: 'How to bake rye bread' }] });
  const bytes = Buffer.byteLength(asked['classify']?.[0]?.prompt ?? '');
  expect(bytes).toBeGreaterThan(15_000);
  expect(bytes).toBeLessThanOrEqual(20_000);
});

test('the related articles are the nearest twenty', async () => {
  listen();
  for (let number = 0; number < 25; number += 1) {
    const title = number < 3 ? `Rye bread ${'abc'[number]}` : `Bread ${String.fromCharCode(97 + number)}`;
    await published(title);
  }
  await call('PATCH', '/pipeline/prompts/classify', { template: '{{related}}' });
  await finished({ topics: [{ title: 'Everything about rye and bread' }] });
  const lines = (asked['classify']?.[0]?.prompt ?? '').split('\n');
  expect(lines).toHaveLength(20);
  expect(lines.slice(0, 3).every((line) => line.startsWith('- Rye bread'))).toBe(true);
});

test('every page that a topic or an item of the plan names is read, once', async () => {
  listen();
  const read: (string | null)[] = [];
  stack.sources = {
    read: async (url) => {
      read.push(url);
      return url.endsWith('/c')
        ? { text: null, problem: 'The page is gone.' }
        : readPage(url, `The page ${url} says that bread needs water.`);
    },
  };
  const item = await call('POST', '/content-plan', {
    title: 'How to bake rye bread',
    notes: 'Say why.',
    source_url: 'https://example.com/a',
    source_urls: ['https://example.com/b', 'https://example.com/a', 'https://example.com/c'],
  });
  expect(item.source_urls).toHaveLength(3);
  const run = await finished({ plan_item_ids: [item.id] });
  expect(read).toEqual(['https://example.com/a', 'https://example.com/b', 'https://example.com/c']);
  expect(run.articles[0].error).toContain('https://example.com/c: The page is gone.');
  expect(asked['generate']?.[0]).toMatchObject({ notes: 'Say why.' });
  expect(asked['generate']?.[0]?.source).toContain('/b says');
});

describe('duplicates', () => {
  const outcome = (run: any) =>
    run.articles.map(({ status, duplicate_of }: any) => [status === 'skipped', duplicate_of]);

  test('a near duplicate of a published article is skipped, and costs its stage alone', async () => {
    listen();
    const { id } = await published('How to brew green tea');
    const run = await finished({
      topics: [{ title: 'Brewing: how to brew the green teas!' }, { title: 'How to brew green tea at home' }],
    });
    // “brewing” is another word than “brew”.
    expect(outcome(run)).toEqual([
      [true, id],
      [true, id],
    ]);
    expect(run.articles[0]).toMatchObject({ score: null, stage: 'classify' });
    expect(run.articles[0].error).toContain('How to brew green tea');
    expect(asked).toEqual({});
    expect(await balances(stack.api, purse.organisationId)).toEqual([998, 998]);
    await call('DELETE', `/articles/${id}`);
    expect((await call('GET', `/pipeline/runs/${run.id}`)).articles[0].duplicate_of).toBeNull();
  });

  test('other topics in similar words are none', async () => {
    listen();
    await published('How to bake bread');
    await published('Ten tips for better sleep, part 1');
    const run = await finished({
      topics: [{ title: 'How to bake rye bread' }, { title: 'Ten tips for better sleep, part 2' }],
    });
    expect(outcome(run)).toEqual([
      [false, null],
      [false, null],
    ]);
  });

  test('of the same topic twice in a run the first is written; a draft and what is in the pipeline count, too', async () => {
    listen();
    const draft = await buildArticle(stack.api, purse.key, { title: 'Storing flour in summer' });
    const topic = { title: 'How to bake rye bread', notes: 'Warm water.' };
    const run = await finished({ topics: [topic, topic, { title: 'Storing flour in the summer' }] });
    const first = run.articles[0].article_id;
    expect(outcome(run)).toEqual([
      [false, null],
      [true, first],
      [true, draft.id],
    ]);
    expect(outcome(await finished({ topics: [topic] }))).toEqual([[true, first]]);
  });

  test('the writer without a model only knows the same title', async () => {
    const { id } = await published('How to brew green tea');
    const run = await finished({
      topics: [
        { title: 'How to brew  GREEN tea?', notes: 'Hot.' },
        { title: 'How to brew green tea at home', notes: 'Hot.' },
      ],
    });
    expect(outcome(run)).toEqual([
      [true, id],
      [false, null],
    ]);
  });

  test('another Site’s articles are none of its business', async () => {
    listen();
    await published('How to brew green tea');
    purse = await buildPurse(stack.api, 100);
    const run = await finished({ topics: [{ title: 'How to brew green tea' }] });
    expect(outcome(run)).toEqual([[false, null]]);
  });
});

describe('without a model', () => {
  test('a topic without notes and sources is given up, and its stage is not charged', async () => {
    const run = await finished({ topics: [{ title: 'How to bake rye bread', keywords: ['rye'] }] });
    expect(run).toMatchObject({ status: 'failed', credits_spent: 4 });
    expect(run.articles[0]).toMatchObject({ status: 'failed', stage: 'plan' });
    expect(run.articles[0].error).toMatch(/^NOTHING_TO_SAY: /);
    expect(await balances(stack.api, purse.organisationId)).toEqual([996, 996]);
  });

  test('nor is it charged when the failed calls of the month are used up', async () => {
    await stack.api.db.pool.query(
      `insert into site_months (site_id, month, failed_calls)
       values ($1, date_trunc('month', now() at time zone 'utc')::date, 1000)`,
      [purse.siteId],
    );
    const run = await finished({ topics: [{ title: 'How to bake rye bread' }] });
    expect([run.credits_spent, run.articles[0].status]).toEqual([4, 'failed']);
  });

  test('the article is what the notes say', async () => {
    const notes = 'Use rye.\n\nWait a day.';
    const run = await finished({ topics: [{ title: 'How to bake rye bread', notes }] });
    const article = await call('GET', `/articles/${run.articles[0].article_id}`);
    expect(article.content).toBe(notes);
    expect(article.status).toBe('needs_improvement');
  });
});
