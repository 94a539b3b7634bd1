import { createGuardedClient } from '../../adapters/http/guarded-client.ts';
import { createModelWriter } from '../../adapters/writer/llm/writer.ts';
import { offlineWriter } from '../../adapters/writer/offline/writer.ts';
import {
  formOf,
  proposed,
  revised,
  says,
  startModelServer,
  writes,
} from '../adapters/writer/model-server.ts';
import type { ModelServer } from '../adapters/writer/model-server.ts';
import { buildTerm } from '../support/builders.ts';
import { buildPurse, ended, heldAt, startPipeline, startRun, topics } from '../support/pipeline.ts';
import type { PipelineStack, Purse } from '../support/pipeline.ts';

let stack: PipelineStack;
let model: ModelServer;
let purse: Purse;
const http = createGuardedClient();

beforeAll(async () => {
  [stack, model] = await Promise.all([startPipeline(), startModelServer()]);
});
beforeEach(async () => {
  purse = await buildPurse(stack.api, 1_000);
});
afterEach(() => {
  stack.writer = offlineWriter;
});
afterAll(async () => {
  await stack.close();
  await model.close();
  await http.close();
});

const call = async (method: string, path: string, body?: unknown): Promise<any> => {
  const answer = await stack.api.request(method, path, { key: purse.key, body });
  if (answer.status > 299) throw new Error(answer.text);
  return answer.data;
};
const term = (path: 'tags' | 'categories', name: string, key = purse.key) =>
  buildTerm(stack.api, key, path, { name });

/** A local model that proposes this. */
function proposes(suggestions: object | null): void {
  model.reactions = [
    (response, asked) =>
      (formOf(asked) === 'revision' ? says(JSON.stringify({ ...revised, suggestions })) : writes)(
        response,
        asked,
      ),
  ];
  const { jobProcesses } = stack;
  stack.writer = createModelWriter({ baseUrl: model.url, apiKey: 'key', model: 'model', http, jobProcesses });
}

/** Runs a topic through all stages. */
async function written(topic: object = {}) {
  const run = await startRun(stack.api, purse.key, { topics: [{ ...topics(1)[0], ...topic }] });
  const { articles } = await ended(stack.api, purse.key, run.id);
  const id = articles[0].article_id as string;
  const [article, state] = await Promise.all([
    call('GET', `/articles/${id}`),
    call('GET', `/pipeline/articles/${id}`),
  ]);
  return { id, run: articles[0], article, state };
}

test('what improve proposes is shown, and an article without tags and category gets them', async () => {
  const [category, baking, rye] = [
    await term('categories', 'Kitchen'),
    await term('tags', 'Baking'),
    await term('tags', 'Ärger mit Roggen'),
  ];
  proposes({ ...proposed, tags: ['ärger MIT roggen', ' baking ', 'Baking'], category: 'KITCHEN' });
  const { article, state } = await written();
  const { tags: _tags, category: _category, ...texts } = proposed;
  expect(state.suggestions).toEqual({ ...texts, tag_ids: [rye.id, baking.id], category_id: category.id });
  expect([article.tag_ids, article.category_id]).toEqual([[baking.id, rye.id].toSorted(), category.id]);
  // What is proposed is not written otherwise.
  expect([article.excerpt, article.seo_title]).toEqual([revised.excerpt, revised.seo_title]);
  const counts = await Promise.all([call('GET', '/tags'), call('GET', '/categories')]);
  expect(counts.flatMap(({ items }) => items.map((one: any) => one.article_count))).toEqual([1, 1, 1]);
  const revisions = await call('GET', `/articles/${article.id}/revisions`);
  expect(revisions.items[0].changed).toEqual(expect.arrayContaining(['category_id', 'tag_ids']));
  const asked = model.asked.findLast((one) => formOf(one) === 'revision');
  expect(asked?.body.messages.at(-1)?.content).toContain(
    'Categories: Kitchen\nTags: Baking, Ärger mit Roggen',
  );
});

test('names that the Site does not have are dropped, those of another Site and its ids with them', async () => {
  const other = await buildPurse(stack.api, 0);
  const [foreign, foreignCategory] = [
    await term('tags', 'Theirs', other.key),
    await term('categories', 'Theirs', other.key),
  ];
  const own = await term('tags', 'Ours');
  proposes({
    ...proposed,
    tags: ['Nowhere', 'Theirs', foreign.id, own.id, "Ours'; drop table tags; --", '%', 'Ours'],
    category: foreignCategory.id,
  });
  const { article, state } = await written();
  expect([state.suggestions.tag_ids, state.suggestions.category_id]).toEqual([[own.id], null]);
  expect([article.tag_ids, article.category_id]).toEqual([[own.id], null]);
  proposes({ ...proposed, tags: [foreign.id], category: 'Theirs' });
  const none = await written();
  expect(none.state.suggestions).toMatchObject({ tag_ids: [], category_id: null });
  expect([none.article.tag_ids, none.article.category_id]).toEqual([[], null]);
});

test('at most ten tags are taken, and of two names that differ in case the exact one', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `Tag ${index}`);
  const made: string[] = [];
  for (const name of names) made.push((await term('tags', name)).id);
  const [, exact] = [
    await buildTerm(stack.api, purse.key, 'categories', { name: 'TEA', slug: 'tea-1' }),
    await term('categories', 'Tea'),
  ];
  proposes({ ...proposed, tags: names, category: 'Tea' });
  const { article, state } = await written();
  expect(state.suggestions).toMatchObject({ tag_ids: made.slice(0, 10), category_id: exact.id });
  expect(article.tag_ids).toHaveLength(10);
});

test('a category that the article has stays, and so do tags that a person set while the stage ran', async () => {
  const [mine, theirs] = [await term('categories', 'Mine'), await term('categories', 'Kitchen')];
  const [chosen, baking] = [await term('tags', 'Chosen'), await term('tags', 'Baking')];
  const { reached, goOn } = heldAt(stack, 'improve');
  const held = stack.writer;
  stack.writer = {
    ...held,
    improve: async (...args) => {
      const done = await held.improve(...args);
      return { ...done, value: { ...done.value, suggestions: proposed } };
    },
  };
  const topic = { ...topics(1)[0], category_id: mine.id };
  const { id, articles } = await startRun(stack.api, purse.key, { topics: [topic] });
  const path = articles[0].article_id as string;
  await reached;
  await call('PATCH', `/articles/${path}`, { tag_ids: [chosen.id] });
  goOn();
  const run = await ended(stack.api, purse.key, id);
  expect(run.articles[0].error).not.toContain('Left out');
  expect(await call('GET', `/articles/${path}`)).toMatchObject({
    tag_ids: [chosen.id],
    category_id: mine.id,
  });
  expect((await call('GET', `/pipeline/articles/${path}`)).suggestions).toMatchObject({
    tag_ids: [baking.id],
    category_id: theirs.id,
  });
});

test('tags that a person emptied while the stage ran stay empty', async () => {
  const baking = await term('tags', 'Baking');
  const { reached, goOn } = heldAt(stack, 'improve');
  const held = stack.writer;
  stack.writer = {
    ...held,
    improve: async (...args) => {
      const done = await held.improve(...args);
      return { ...done, value: { ...done.value, suggestions: proposed } };
    },
    generate: async (...args) => {
      await call('PATCH', `/articles/${path}`, { tag_ids: [baking.id] });
      return offlineWriter.generate(...args);
    },
  };
  const { id, articles } = await startRun(stack.api, purse.key, { topics: topics(1) });
  const path = articles[0].article_id as string;
  await reached;
  await call('PATCH', `/articles/${path}`, { tag_ids: [] });
  goOn();
  expect((await ended(stack.api, purse.key, id)).articles[0].error).toContain('Left out');
  expect((await call('GET', `/articles/${path}`)).tag_ids).toEqual([]);
});

test('a deleted tag or category is proposed no more', async () => {
  const [category, baking, rye] = [
    await term('categories', 'Kitchen'),
    await term('tags', 'Baking'),
    await term('tags', 'Rye'),
  ];
  proposes({ ...proposed, tags: ['Baking', 'Rye'] });
  const { id, state } = await written();
  expect(state.suggestions).toMatchObject({ tag_ids: [baking.id, rye.id], category_id: category.id });
  await call('DELETE', `/tags/${baking.id}`);
  await call('DELETE', `/categories/${category.id}`);
  const { suggestions } = await call('GET', `/pipeline/articles/${id}`);
  expect(suggestions).toMatchObject({ tag_ids: [rye.id], category_id: null, titles: proposed.titles });
});

test('an answer without proposals is good, and one with too many titles is sent back', async () => {
  proposes(null);
  expect((await written()).state.suggestions).toBeNull();
  proposes({ ...proposed, titles: ['1', '2', '3', '4'] });
  const { run } = await written();
  expect(run.stage).toBe('generate');
  expect(model.asked.at(-1)?.body.messages.at(-1)?.content).toContain('suggestions.titles');
});

test('without a model the texts are proposed, and no terms', async () => {
  await term('tags', 'bread');
  const { article, state } = await written({ keywords: ['bread'] });
  expect(state.suggestions).toEqual({
    titles: [],
    tag_ids: [],
    category_id: null,
    excerpt: 'A warm kitchen makes it faster.',
    seo_title: article.title,
    seo_description: 'A warm kitchen makes it faster.',
  });
});
