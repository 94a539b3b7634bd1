import { offlineWriter } from '../../adapters/writer/offline/writer.ts';
import { buildPurse, ended, heldAt, startPipeline, startRun, topics } from '../support/pipeline.ts';
import type { PipelineStack } from '../support/pipeline.ts';

let stack: PipelineStack;

beforeAll(async () => {
  stack = await startPipeline();
});
afterEach(() => {
  stack.writer = offlineWriter;
});
afterAll(() => stack.close());

/** Changes of a person while a stage runs, and what the article is at the end. */
const edits = [
  ['classify', {}, 'generated'],
  ['plan', { title: 'A better name for the topic' }, 'generated'],
  ['plan', { excerpt: 'My own words.' }, 'assisted'],
  ['generate', { title: 'A better name for the topic' }, 'generated'],
  ['generate', { featured_image_url: 'https://images.example.com/bread.png' }, 'generated'],
  ['generate', { content: 'My own words.' }, 'assisted'],
  ['improve', { external_id: 'mine' }, 'generated'],
  ['improve', { content: 'My own words.' }, 'assisted'],
  ['improve', { title: 'A better title' }, 'assisted'],
] as const;

test.each(edits)('while the stage %s runs, a person sends %j: %s', async (stage, body, origin) => {
  const { api } = stack;
  const purse = await buildPurse(api, 100);
  const { reached, goOn } = heldAt(stack, stage);
  const run = await startRun(api, purse.key, { topics: topics(1) });
  const path = `/articles/${run.articles[0].article_id}`;
  const originNow = async (): Promise<string> =>
    (await api.request('GET', path, { key: purse.key })).data.origin;
  await reached;
  expect(await originNow()).toBe(stage === 'improve' ? 'generated' : 'person');
  expect((await api.request('PATCH', path, { key: purse.key, body })).status).toBe(200);
  goOn();
  await ended(api, purse.key, run.id);
  expect(await originNow()).toBe(origin);
  const { rows } = await api.db.pool.query(
    'select origin_known from pipeline_articles where article_id = $1',
    [run.articles[0].article_id],
  );
  expect(rows).toEqual([{ origin_known: true }]);
});

test('a person’s updates race the end of a stage: the text is theirs, too, whoever comes first', async () => {
  const { api } = stack;
  const purse = await buildPurse(api, 100);
  const { reached, goOn } = heldAt(stack, 'generate');
  const run = await startRun(api, purse.key, { topics: topics(1) });
  const path = `/articles/${run.articles[0].article_id}`;
  await reached;
  goOn();
  const sent = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      api.request('PATCH', path, { key: purse.key, body: { excerpt: `My words, ${index}.` } }),
    ),
  );
  expect(sent.map(({ status }) => status)).toEqual(sent.map(() => 200));
  await ended(api, purse.key, run.id);
  expect((await api.request('GET', path, { key: purse.key })).data.origin).toBe('assisted');
});
