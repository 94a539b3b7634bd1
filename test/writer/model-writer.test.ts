import type { Brief, Draft } from '../../domain/pipeline/writer.ts';
import { WriterError } from '../../domain/pipeline/writer.ts';
import { createGuardedClient } from '../../net/guarded-client.ts';
import { createModelWriter } from '../../writer/llm/writer.ts';
import { completion, refuses, says, startModelServer } from './model-server.ts';
import type { ModelServer, Reaction } from './model-server.ts';

const brief: Brief = {
  title: 'How to bake rye bread',
  keywords: ['rye', 'sourdough'],
  source: null,
  locale: 'en',
  blueprint: { requires: ['faqs'], sections: [{ heading: 'Dough', guidance: 'how it is made' }] },
  outline: null,
  written: {},
  prompt: 'Judge the topic “How to bake rye bread”.',
};
const article: Draft = {
  content: '## Dough\n\nMix and wait.',
  excerpt: 'Mix and wait.',
  seo_title: 'Rye bread',
  seo_description: 'How to bake it.',
  seo_keywords: ['rye'],
  key_takeaways: null,
  faqs: [{ question: 'How long?', answer: 'A day.' }],
  howto_steps: null,
  comparison: null,
};
const judgement = JSON.stringify({ score: 80, reason: 'It is clear.' });

const http = createGuardedClient();
const attempt = { signal: new AbortController().signal };
let server: ModelServer;

beforeEach(async () => {
  server = await startModelServer();
});
afterEach(() => server.close());
afterAll(() => http.close());

const writer = (timeoutMs?: number) =>
  createModelWriter({
    baseUrl: server.url,
    apiKey: 'key-1',
    model: 'model-1',
    http,
    ...(timeoutMs ? { timeoutMs } : {}),
  });

/** What a judgement fails with. */
async function failure(reactions: Reaction[], timeoutMs?: number): Promise<WriterError> {
  server.reactions = reactions;
  const error: unknown = await writer(timeoutMs)
    .classify(brief, attempt)
    .then(
      () => null,
      (thrown: unknown) => thrown,
    );
  expect(error).toBeInstanceOf(WriterError);
  return error as WriterError;
}

test('a question has the prompt, the schema of the answer, the model and the key', async () => {
  server.reactions = [says(judgement)];
  const written = await writer().classify(brief, attempt);
  expect(written).toEqual({
    value: { score: 80, reason: 'It is clear.' },
    answer: judgement,
    inputTokens: 11,
    outputTokens: 7,
  });
  const [{ path, authorization, body }] = server.asked as [ModelServer['asked'][number]];
  expect([path, authorization, body.model]).toEqual(['/v1/chat/completions', 'Bearer key-1', 'model-1']);
  expect(body.messages.at(-1)).toEqual({ role: 'user', content: brief.prompt });
  expect(body.response_format).toMatchObject({ type: 'json_schema', json_schema: { name: 'judgement' } });
});

test('a whole article is taken over, also out of a fence', async () => {
  server.reactions = [says(`\`\`\`json\n${JSON.stringify(article)}\n\`\`\``)];
  expect((await writer().generate(brief, attempt)).value).toEqual(article);
});

test.each<[string, string]>([
  ['no JSON', 'Of course! Here it is:'],
  ['another form', JSON.stringify({ score: 'high', reason: '' })],
  ['nothing', ''],
])('an answer that is %s is asked again once, with what is wrong', async (_, wrong) => {
  server.reactions = [says(wrong), says(judgement)];
  const written = await writer().classify(brief, attempt);
  expect([written.value.score, written.inputTokens, server.asked.length]).toEqual([80, 22, 2]);
  expect(server.asked[1]?.body.messages.at(-1)?.content).toMatch(/^That does not fit: /);
});

test('an answer that does not fit twice is worth another try later', async () => {
  const error = await failure([says('no')]);
  expect([error.final, server.asked.length]).toEqual([false, 2]);
});

test('a comparison whose rows are of another length than its columns does not fit', async () => {
  const crooked = {
    ...article,
    comparison: { title: null, columns: ['a', 'b'], rows: [{ label: 'x', values: ['1'] }] },
  };
  server.reactions = [says(JSON.stringify(crooked)), says(JSON.stringify(article))];
  await writer().improve(brief, attempt);
  expect(server.asked[1]?.body.messages.at(-1)?.content).toContain('comparison');
});

test.each([400, 401, 403, 404, 422])('a %i is final', async (status) => {
  const error = await failure([refuses(status)]);
  expect([error.final, error.message, server.asked.length]).toEqual([true, `it answered ${status}.`, 1]);
});

test.each([408, 409, 429, 500, 502, 503])('a %i is worth another try', async (status) => {
  expect((await failure([refuses(status)])).final).toBe(false);
  expect(server.asked).toHaveLength(1);
});

test.each([
  ['7', 7_000],
  ['0', 0],
  ['86400', 600_000],
  ['soon', undefined],
])('Retry-After: %s waits %p ms', async (value, expected) => {
  expect((await failure([refuses(429, { 'retry-after': value })])).retryAfterMs).toBe(expected);
});

test.each<[string, Reaction]>([
  [
    'cut off',
    (response) =>
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-length': '9999' })
        .write(completion(judgement), () => response.destroy()),
  ],
  [
    'no JSON',
    (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"choices": ['),
  ],
  ['no completion', (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{}')],
  ['a page', (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>')],
  ['a redirect', (response) => response.writeHead(302, { location: '/elsewhere' }).end()],
])('an answer that is %s fails as the writer, not as the product', async (_, reaction) => {
  await failure([reaction]);
});

test('a model that does not answer in time is worth another try', async () => {
  expect((await failure([() => {}], 200)).final).toBe(false);
});

test('a model that cannot be reached is worth another try', async () => {
  const error = await failure([(response) => response.destroy()]);
  expect([error.final, error.message]).toEqual([
    false,
    'it could not be reached, or its answer was cut off.',
  ]);
});

test('what the database cannot keep is left out of an answer: U+0000, and half a character', async () => {
  server.reactions = [says(String.raw`{"score":80,"reason":"It is\u0000 clear\ud83d."}`)];
  const { value } = await writer().classify(brief, attempt);
  expect(value.reason).toBe('It is clear\uFFFD.');
});

test('a call that nobody waits for any more ends at once', async () => {
  server.reactions = [() => {}];
  const controller = new AbortController();
  const asking = writer().classify(brief, { signal: controller.signal });
  const failing = expect(asking).rejects.toThrow();
  while (server.asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  controller.abort();
  await failing;
});
