import type { Brief } from '../../../domain/pipeline/writer.ts';
import { WriterError } from '../../../domain/pipeline/writer.ts';
import { describeError } from '../../../observability/log/describe-error.ts';
import { createGuardedClient } from '../../../adapters/http/guarded-client.ts';
import { createJobProcesses } from '../../../adapters/untrusted-text/processes.ts';
import { createModelWriter } from '../../../adapters/writer/llm/writer.ts';
import type { ModelOptions } from '../../../adapters/writer/llm/writer.ts';
import { eventually } from '../../support/eventually.ts';
import {
  asData,
  chunk,
  chunks,
  completion,
  refuses,
  refusesWith,
  says,
  saysAtOnce,
  startModelServer,
  streams,
} from './model-server.ts';
import type { ModelServer, Reaction } from './model-server.ts';
import { article, ryeBread } from './rye-bread.ts';

const brief: Brief = {
  ...ryeBread,
  blueprint: { requires: ['faqs'], sections: [{ heading: 'Dough', guidance: 'how it is made' }] },
  prompt: 'Judge the topic “How to bake rye bread”.',
};
const judgement = JSON.stringify({ score: 80, reason: 'It is clear.' });

const http = createGuardedClient();
const jobProcesses = createJobProcesses();
const attempt = { siteId: 'a site', signal: new AbortController().signal };
let server: ModelServer;

beforeEach(async () => {
  server = await startModelServer();
});
afterEach(() => server.close());
afterAll(() => {
  jobProcesses.close();
  return http.close();
});

const writer = (options: Partial<ModelOptions> = {}) =>
  createModelWriter({
    baseUrl: server.url,
    apiKey: 'key-1',
    model: 'model-1',
    http,
    jobProcesses,
    ...options,
  });

/** The error of a judgement. */
async function failure(reactions: Reaction[], options: Partial<ModelOptions> = {}): Promise<WriterError> {
  server.reactions = reactions;
  const error: unknown = await writer(options)
    .classify(brief, attempt)
    .then(
      () => null,
      (thrown: unknown) => thrown,
    );
  expect(error).toBeInstanceOf(WriterError);
  return error as WriterError;
}

test('a request has the prompt, the schema of the answer, the model and the key', async () => {
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
  expect(body).toMatchObject({ stream: true, stream_options: { include_usage: true } });
  expect(body.response_format).toMatchObject({ type: 'json_schema', json_schema: { name: 'judgement' } });
});

test('a whole article is accepted, also inside a code fence', async () => {
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

test('an answer that is invalid twice is retried later', async () => {
  const error = await failure([says('no')]);
  expect([error.final, server.asked.length]).toEqual([false, 2]);
  expect(error.spent).toEqual({ answer: 'no', inputTokens: 22, outputTokens: 14 });
});

test('what a failed attempt was answered is in no log', async () => {
  const error = await failure([says('a secret'), refuses(500)]);
  expect(error.spent).toEqual({ answer: 'a secret', inputTokens: 11, outputTokens: 7 });
  const line = JSON.stringify([describeError(error), error, { ...error }]);
  expect(line).toContain('it answered 500.');
  expect(line).not.toContain('a secret');
});

test('a server that does not count tokens leaves them unknown', async () => {
  const uncounted = chunks(judgement).filter((event) => typeof event === 'string' || !('usage' in event));
  server.reactions = [streams(...uncounted)];
  const { inputTokens, outputTokens } = await writer().classify(brief, attempt);
  expect([inputTokens, outputTokens]).toEqual([null, null]);
});

test('a comparison with rows of another length than its columns is invalid', async () => {
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

test.each([408, 409, 429, 500, 502, 503])('a %i is retried', async (status) => {
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

test('a model that does not answer in time is retried', async () => {
  expect((await failure([() => {}], { silenceMs: 200 })).final).toBe(false);
});

test('a model that cannot be reached is retried', async () => {
  const error = await failure([(response) => response.destroy()]);
  expect([error.final, error.message]).toEqual([
    false,
    'it could not be reached, or its answer was cut off.',
  ]);
});

test('characters that the database cannot store are removed from an answer: U+0000 and lone surrogates', async () => {
  server.reactions = [says(String.raw`{"score":80,"reason":"It is\u0000 clear\ud83d."}`)];
  const { value } = await writer().classify(brief, attempt);
  expect(value.reason).toBe('It is clear\uFFFD.');
});

test('each form has its own token limit', async () => {
  server.reactions = [says(judgement), says(JSON.stringify(article))];
  await writer().classify(brief, attempt);
  await writer().generate(brief, attempt);
  const limits = server.asked.map(
    ({ body }) => (body as unknown as Record<string, unknown>)['max_completion_tokens'],
  );
  expect(limits).toEqual([4_000, 16_000]);
});

test('a server that only knows the older name of the token limit gets that one from then on', async () => {
  const refusal = { error: { message: 'Unrecognized request argument supplied: max_completion_tokens' } };
  server.reactions = [refusesWith(400, refusal), says(judgement)];
  const one = writer();
  await one.classify(brief, attempt);
  await one.classify(brief, attempt);
  const names = server.asked.map(({ body }) => Object.keys(body).filter((name) => name.startsWith('max_')));
  expect(names).toEqual([['max_completion_tokens'], ['max_tokens'], ['max_tokens']]);
});

/** Whether each request had the schema of the answer. */
const schemasSent = (): boolean[] =>
  server.asked.map(({ body }) => (body as { response_format?: unknown }).response_format !== undefined);

test.each<[number, object]>([
  [400, { error: { message: 'This response_format type is unavailable now' } }],
  [400, { error: { message: 'This model does not support response format `json_schema`.' } }],
  [400, { object: 'error', message: 'response_format is not supported', type: 'BadRequestError' }],
  [422, { detail: [{ loc: ['body', 'response_format'], msg: 'Extra inputs are not permitted' }] }],
])('a server that refuses the schema by %i %j is asked without it from then on', async (status, refusal) => {
  server.reactions = [refusesWith(status, refusal), says(judgement)];
  const one = writer();
  expect((await one.classify(brief, attempt)).value.score).toBe(80);
  await one.classify(brief, attempt);
  expect(schemasSent()).toEqual([true, false, false]);
});

test('a server that knows no schema, no newer name of the token limit and no count is asked without them', async () => {
  server.reactions = [
    refusesWith(422, { detail: 'response_format: unknown' }),
    refusesWith(422, { detail: 'max_completion_tokens: unknown' }),
    refusesWith(422, { detail: 'stream_options: unknown' }),
    says(judgement),
  ];
  await writer().classify(brief, attempt);
  const [, , , body] = server.asked.map((asked) => Object.keys(asked.body));
  expect(body?.toSorted()).toEqual(['max_tokens', 'messages', 'model', 'stream']);
});

test('a refusal that is not about the schema it names changes nothing for the next request', async () => {
  const quoting = refusesWith(400, { error: { message: 'not allowed: “What response_format is for”' } });
  server.reactions = [quoting, quoting, says(judgement)];
  const one = writer();
  await expect(one.classify(brief, attempt)).rejects.toMatchObject({ final: true });
  await one.classify(brief, attempt);
  expect(schemasSent()).toEqual([true, false, true]);
});

test('an answer cut off at the token limit is reported as such', async () => {
  const error = await failure([streams(...chunks('{"score": 8', 'length'))]);
  expect(error.message).toBe('its answer was cut off at the 4000 tokens that it may have.');
});

test('an answer of more bytes than its tokens can have fails, and counts as a failed call', async () => {
  const error = await failure([saysAtOnce('x'.repeat(3_400_001))]);
  expect([error.final, error.failedCalls]).toEqual([false, 1]);
});

test.each<[string, Reaction[], number]>([
  ['twice in another form', [says('no')], 2],
  ['in another form, then refused', [says('no'), refuses(429)], 1],
  ['refused', [refuses(429)], 0],
  ['refused for good', [refuses(400)], 0],
  ['cut off by the network', [(response) => response.destroy()], 0],
])('a question that is answered %s has cost calls: %#', async (_, reactions, calls) => {
  expect((await failure(reactions)).failedCalls).toBe(calls);
});

test('a model that does not answer in time counts as a failed call', async () => {
  expect((await failure([() => {}], { silenceMs: 200 })).failedCalls).toBe(1);
});

test('endless blanks after a fenced answer cost no time', async () => {
  const answer = '```json\n' + judgement + '\n```' + ' '.repeat(400_000);
  server.reactions = [says(answer + 'x'), says(answer)];
  expect((await writer({ maxOutputTokens: 100_000 }).classify(brief, attempt)).value.score).toBe(80);
});

test('the log of a failure contains nothing that the provider or the model sent', async () => {
  const secret = 'What the prompt said.';
  const quoting = refusesWith(400, { error: { message: secret, type: 'test' } });
  for (const reaction of [quoting, says(secret)])
    expect(JSON.stringify(describeError(await failure([reaction])))).not.toContain('prompt');
});

test('an aborted call ends at once', async () => {
  server.reactions = [() => {}];
  const controller = new AbortController();
  const asking = writer().classify(brief, { ...attempt, signal: controller.signal });
  const failing = expect(asking).rejects.toThrow();
  await eventually('it is asked', () => server.asked.length === 1);
  controller.abort();
  await failing;
});

test('a server that does not stream is read as well', async () => {
  server.reactions = [saysAtOnce(judgement)];
  expect(await writer().classify(brief, attempt)).toMatchObject({ value: { score: 80 }, inputTokens: 11 });
});

test('each stage can have a model of its own', async () => {
  server.reactions = [says(judgement), says(JSON.stringify(article))];
  const one = writer({ models: { classify: 'small' } });
  await one.classify(brief, attempt);
  await one.generate(brief, attempt);
  expect(server.asked.map(({ body }) => body.model)).toEqual(['small', 'model-1']);
});

test('a character in two chunks stays whole', async () => {
  const [before, after] = ['{"score":80,"reason":"\\ud83d', '\\ude00"}'];
  server.reactions = [streams(chunk({ content: before }), chunk({ content: after }, 'stop'))];
  expect((await writer().classify(brief, attempt)).value.reason).toBe('\u{1F600}');
  const halves = ['\ud83d', '\ude00"}'].map((content) => chunk({ content }));
  server.reactions = [streams(chunk({ content: '{"score":80,"reason":"' }), ...halves, chunk({}, 'stop'))];
  expect((await writer().classify(brief, attempt)).value.reason).toBe('\u{1F600}');
});

/** Sends the first events of an answer, and then nothing. */
const stalls: Reaction = (response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of chunks(judgement).slice(0, 3)) response.write(`data: ${asData(event)}\n\n`);
};

test('an answer that falls silent is given up and retried, and was a call', async () => {
  const error = await failure([stalls], { silenceMs: 200 });
  expect([error.final, error.failedCalls]).toEqual([false, 1]);
});

test('an answer that never ends is given up', async () => {
  const drips: Reaction = (response) => {
    stalls(response, server.asked[0] as ModelServer['asked'][number]);
    const drip = setInterval(() => response.write(': ping\n\n'), 20);
    response.on('close', () => clearInterval(drip));
  };
  const error = await failure([drips], { silenceMs: 5_000, timeoutMs: 500 });
  expect([error.final, error.failedCalls]).toEqual([false, 1]);
});

test.each<[string, Reaction, number]>([
  ['ends early', streams(...chunks(judgement).slice(0, 3)), 1],
  ['breaks off', (response, asked) => (stalls(response, asked), setTimeout(() => response.destroy(), 20)), 0],
  ['tells of an error', streams(...chunks(judgement).slice(0, 3), { error: { message: 'overloaded' } }), 1],
  ['is no JSON in the middle', streams(...chunks(judgement).slice(0, 3), '{"choices": ['), 1],
])('a stream that %s is retried', async (_, reaction, failedCalls) => {
  const error = await failure([reaction]);
  expect([error.final, error.failedCalls, server.asked.length]).toEqual([false, failedCalls, 1]);
});

test.each<[string, Reaction]>([
  ['by a refusal', streams(chunk({ refusal: 'I cannot.' }), chunk({}, 'stop'))],
  ['by a filter', streams(chunk({ content: '{"sc' }), chunk({}, 'content_filter'))],
])('a model that declines %s is not asked again', async (_, reaction) => {
  const error = await failure([reaction]);
  expect([error.final, error.message]).toEqual([true, 'the model refused to write about this.']);
});
