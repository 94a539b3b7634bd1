import { createGuardedClient } from '../../adapters/http/guarded-client.ts';
import { createPageVisitor } from '../../adapters/pages/visitor.ts';
import { createResearch } from '../../adapters/research/research.ts';
import { createSourceReader } from '../../adapters/writer/source.ts';
import { createModelWriter } from '../../adapters/writer/llm/writer.ts';
import { offlineWriter } from '../../adapters/writer/offline/writer.ts';
import { answers } from '../adapters/research/answers.ts';
import { formOf, startModelServer, writes } from '../adapters/writer/model-server.ts';
import type { ModelServer } from '../adapters/writer/model-server.ts';
import { buildPurse, ended, noSources, startPipeline, startRun } from '../support/pipeline.ts';
import type { PipelineStack, Purse } from '../support/pipeline.ts';
import { closeReceivers, httpReceiver } from '../support/receivers.ts';
import type { Receiver } from '../support/receivers.ts';

let stack: PipelineStack;
let purse: Purse;
let model: ModelServer;
let pages: Receiver;
/** On this machine, and not exempt. */
let inside: Receiver;
let engine: Receiver;
/** What the search answers. */
let results: () => { status: number; urls: string[] };
/** Every address that was to be read. */
let read: string[];

const http = createGuardedClient();

beforeAll(async () => {
  stack = await startPipeline();
});
beforeEach(async () => {
  purse = await buildPurse(stack.api, 1_000);
  model = await startModelServer();
  model.reactions = [writes];
  pages = await httpReceiver(({ path }, response) =>
    path === '/robots.txt'
      ? response.end('User-agent: *\nDisallow: /private')
      : response
          .writeHead(200, { 'content-type': 'text/plain' })
          .end(`The page ${path} says that rye bread needs time.`),
  );
  inside = await httpReceiver((_, response) => response.end('A secret of the machine.'));
  engine = await httpReceiver((_, response) => {
    const { status, urls } = results();
    response.writeHead(status).end(JSON.stringify(answers.searxng(urls)));
  });
  results = () => ({ status: 200, urls: [] });
  read = [];
  const { jobProcesses } = stack;
  const scans = createGuardedClient({
    allowedHosts: new Set([`127.0.0.1:${pages.port}`]),
    targets: { plainHttp: true },
  });
  const turns = { take: async () => 0, begin: async () => 0 };
  const reader = createSourceReader(createPageVisitor({ http: scans, turns }, jobProcesses), jobProcesses);
  stack.sources = {
    read(url, attempt) {
      if (url !== null) read.push(url);
      return reader.read(url, attempt);
    },
  };
  stack.research = createResearch({
    provider: 'searxng',
    baseUrl: engine.url,
    apiKey: '',
    http,
    jobProcesses,
  });
});
afterEach(async () => {
  stack.writer = offlineWriter;
  stack.sources = noSources;
  stack.research = undefined;
  await model.close();
  await closeReceivers();
});
afterAll(async () => {
  await http.close();
  await stack.close();
});

// eslint-disable-next-line @typescript-eslint/no-explicit-any
const get = async (path: string): Promise<any> =>
  (await stack.api.request('GET', path, { key: purse.key })).data;

/** A run of one topic. @returns the article's state, and the steps of extract */
async function run(topic: object = {}) {
  const title = `How to bake rye bread of ${purse.siteId}`;
  const started = await startRun(stack.api, purse.key, {
    topics: [{ title, notes: 'It takes a day.', ...topic }],
  });
  const done = await ended(stack.api, purse.key, started.id);
  const articleId = done.articles[0].article_id;
  const { items } = await get(`/pipeline/runs/${done.id}/steps?limit=100`);
  const { rows } = await stack.api.db.pool.query(
    'select source_text from pipeline_articles where article_id = $1',
    [articleId],
  );
  return {
    done,
    state: await get(`/pipeline/articles/${articleId}`),
    article: await get(`/articles/${articleId}`),
    // eslint-disable-next-line @typescript-eslint/no-explicit-any
    steps: items.filter(({ stage }: any) => stage === 'extract'),
    facts: rows[0].source_text as string | null,
  };
}

const withModel = (): void => {
  stack.writer = createModelWriter({
    baseUrl: model.url,
    apiKey: 'key',
    model: 'model',
    models: { extract: 'model-of-extract' },
    http,
    jobProcesses: stack.jobProcesses,
  });
};
const stageOf = ({ stages }: { stages: { stage: string; status: string }[] }, name: string) =>
  stages.find(({ stage }) => stage === name)?.status;

test('what the questions of the writer find is read like what the topic names', async () => {
  withModel();
  const domain = (await get('/site')).domain as string;
  const named = `${pages.url}/named`;
  results = () => ({
    status: 200,
    urls: [
      named,
      `https://${domain}/own`,
      `${pages.url}/found-1`,
      `${pages.url}/private`,
      `${inside.url}/`,
      `${pages.url}/found-2`,
    ],
  });
  const { state, article, steps, done } = await run({ source_urls: [named] });
  const asked = engine.seen.map(({ path }) => new URL(path, engine.url).searchParams.get('q'));
  expect(asked.sort()).toEqual(['How is bread baked?', 'How long does dough rest?']);
  expect(read.sort()).toEqual(
    [named, `${pages.url}/found-1`, `${pages.url}/private`, `${inside.url}/`, `${pages.url}/found-2`].sort(),
  );
  expect(inside.seen).toEqual([]);
  expect(pages.seen.map(({ path }) => path)).not.toContain('/private');
  const questions = model.asked.find((one) => formOf(one) === 'questions');
  const extraction = model.asked.find((one) => formOf(one) === 'extraction');
  expect([questions?.body.model, extraction?.body.model]).toEqual(['model-of-extract', 'model-of-extract']);
  const prompt = extraction?.body.messages.at(-1)?.content;
  for (const path of ['/named', '/found-1', '/found-2']) expect(prompt).toContain(`The page ${path} says`);
  expect(prompt).not.toContain('A secret of the machine');
  expect(steps).toMatchObject([
    { attempt: 1, status: 'succeeded', tokens: { input: 22, output: 14 }, credits: 1 },
  ]);
  const urls = article.sources.map(({ url }: { url: string }) => url);
  expect(urls).toEqual([named, `${pages.url}/found-1`, `${pages.url}/found-2`]);
  // What was asked can be seen.
  expect(steps[0].answer).toContain('How is bread baked?');
  expect([stageOf(state, 'extract'), done.articles[0].error]).toEqual(['succeeded', null]);
});

test('the offline writer searches for title and keywords, and writes from what was found', async () => {
  results = () => ({ status: 200, urls: [`${pages.url}/found`] });
  const { state, facts, steps } = await run({ keywords: ['sourdough'] });
  expect(engine.seen.map(({ path }) => new URL(path, engine.url).searchParams.get('q'))).toEqual([
    `How to bake rye bread of ${purse.siteId} sourdough`,
  ]);
  expect(facts).toContain('The page /found says that rye bread needs time.');
  expect([stageOf(state, 'extract'), steps.length]).toEqual(['succeeded', 1]);
});

test('a failed search is a failed step, and the stage goes on with what the topic names', async () => {
  withModel();
  results = () => ({ status: 429, urls: [] });
  const { state, steps, done } = await run({ source_urls: [`${pages.url}/named`] });
  expect(steps).toMatchObject([
    {
      attempt: 1,
      status: 'failed',
      model: null,
      credits: 0,
      tokens: null,
      error: { code: 'SEARCH_FAILED', message: '2 of 2 searches failed: it answered 429.' },
      prompt: null,
      answer: null,
    },
    { attempt: 2, status: 'succeeded', credits: 1, error: null },
  ]);
  expect([stageOf(state, 'extract'), read]).toEqual(['succeeded', [`${pages.url}/named`]]);
  expect(done.articles[0].failed ?? false).toBe(false);
});

test('however often the stage is attempted, its failed search is one step', async () => {
  withModel();
  results = () => ({ status: 500, urls: [] });
  let refusals = 2;
  model.reactions = [
    (response, one) => {
      if (formOf(one) !== 'extraction' || refusals === 0) return writes(response, one);
      refusals -= 1;
      return response.writeHead(503, { 'retry-after': '0' }).end();
    },
  ];
  const { steps } = await run();
  expect(steps.map(({ error }: { error: { code: string } | null }) => error?.code ?? null)).toEqual([
    'SEARCH_FAILED',
    'WRITER_FAILED',
    'WRITER_FAILED',
    null,
  ]);
  // What the questions of an attempt used is told also where the attempt failed.
  expect(steps[1].tokens).toEqual({ input: 11, output: 7 });
});

test('without a provider nothing is asked or searched for', async () => {
  withModel();
  stack.research = undefined;
  const { steps } = await run();
  expect(model.asked.map(formOf)).not.toContain('questions');
  expect([steps.length, engine.seen, read]).toEqual([1, [], []]);
});
