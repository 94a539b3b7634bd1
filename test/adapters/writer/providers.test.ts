import { ryeBread } from './rye-bread.ts';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGuardedClient } from '../../../adapters/http/guarded-client.ts';
import { createJobProcesses } from '../../../adapters/untrusted-text/processes.ts';
import { createModelWriter } from '../../../adapters/writer/llm/writer.ts';
import type { Brief } from '../../../domain/pipeline/writer.ts';
import { asData } from './model-server.ts';

/** Each provider's own way to ask and to answer, as its reference has it. */
interface Wire {
  readonly provider: 'anthropic' | 'google';
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The request of a prompt after an answer that did not fit. */
  readonly asked: object;
  /** The events of an answer in these parts. */
  readonly answer: (parts: readonly string[]) => object[];
  readonly cut: (part: string) => object[];
  readonly refusal: object[];
  readonly error: object;
}

const google = (part: object, others: object = {}): object => ({
  candidates: [{ content: { parts: [part], role: 'model' }, index: 0, ...others }],
  modelVersion: 'model-1',
});
const usageMetadata = { promptTokenCount: 11, candidatesTokenCount: 4, thoughtsTokenCount: 3 };

const block = (text: string): object[] => [
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'ping' },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
  { type: 'content_block_stop', index: 0 },
];
const started = {
  type: 'message_start',
  message: {
    id: 'm',
    type: 'message',
    role: 'assistant',
    model: 'model-1',
    content: [],
    stop_reason: null,
    usage: { input_tokens: 4, cache_creation_input_tokens: 5, cache_read_input_tokens: 2, output_tokens: 1 },
  },
};
const stopped = (stop_reason: string): object[] => [
  { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 7 } },
  { type: 'message_stop' },
];

const wires: readonly Wire[] = [
  {
    provider: 'anthropic',
    path: '/base/messages',
    headers: { 'x-api-key': 'key-1', 'anthropic-version': '2023-06-01' },
    asked: {
      model: 'model-1',
      max_tokens: 4_000,
      stream: true,
      messages: [
        { role: 'user', content: 'Judge.' },
        { role: 'assistant', content: 'no' },
        { role: 'user', content: expect.stringMatching(/^That does not fit/) },
      ],
      system: expect.stringContaining('JSON'),
    },
    answer: (parts) => [started, ...parts.flatMap(block), ...stopped('end_turn')],
    cut: (part) => [started, ...block(part), ...stopped('max_tokens')],
    refusal: [started, ...stopped('refusal')],
    error: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
  },
  {
    provider: 'google',
    path: '/base/models/model-1:streamGenerateContent?alt=sse',
    headers: { 'x-goog-api-key': 'key-1' },
    asked: {
      contents: [
        { role: 'user', parts: [{ text: 'Judge.' }] },
        { role: 'model', parts: [{ text: 'no' }] },
        { role: 'user', parts: [{ text: expect.stringMatching(/^That does not fit/) }] },
      ],
      systemInstruction: { parts: [{ text: expect.stringContaining('JSON') }] },
      generationConfig: { maxOutputTokens: 4_000, responseMimeType: 'application/json' },
    },
    answer: (parts) => [
      google({ text: 'Let me think.', thought: true }),
      ...parts.map((text) => google({ text })),
      { ...google({ text: '' }, { finishReason: 'STOP' }), usageMetadata },
    ],
    cut: (text) => [{ ...google({ text }, { finishReason: 'MAX_TOKENS' }), usageMetadata }],
    refusal: [{ promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: { promptTokenCount: 11 } }],
    error: { error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } },
  },
];

const brief: Brief = { ...ryeBread, prompt: 'Judge.' };
const judgement = ['{"score": 8', '0, "reason": "It is clear."}'];

const http = createGuardedClient();
const jobProcesses = createJobProcesses();
let server: Server;
let answers: (object | string)[][];
const asked: { path: string; headers: IncomingHttpHeaders; body: unknown }[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    void (async () => {
      let body = '';
      for await (const piece of request) body += String(piece);
      asked.push({ path: request.url ?? '', headers: request.headers, body: JSON.parse(body) });
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const events = answers.length > 1 ? answers.shift() : answers[0];
      // Servers name the events in the stream as well.
      for (const event of events ?? []) response.write(`event: any\r\ndata: ${asData(event)}\r\n\r\n`);
      response.end();
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
beforeEach(() => {
  asked.length = 0;
});
afterAll(async () => {
  jobProcesses.close();
  await http.close();
  await new Promise((resolve) => server.close(resolve));
});

describe.each(wires)('$provider', (wire) => {
  const classify = () =>
    createModelWriter({
      provider: wire.provider,
      baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/base/`,
      apiKey: 'key-1',
      model: 'model-1',
      http,
      jobProcesses,
    }).classify(brief, { siteId: 'a site', signal: new AbortController().signal });

  test('is asked as its reference says, with what was wrong the first time', async () => {
    answers = [wire.answer(['no']), wire.answer(judgement)];
    expect(await classify()).toEqual({
      value: { score: 80, reason: 'It is clear.' },
      answer: judgement.join(''),
      inputTokens: 22,
      outputTokens: 14,
    });
    expect(asked[1]).toMatchObject({ path: wire.path, headers: wire.headers, body: wire.asked });
  });

  test('that stops at the limit of tokens is reported as such', async () => {
    answers = [wire.cut('{"score": 8')];
    await expect(classify()).rejects.toThrow('cut off at the 4000 tokens');
  });

  test('that refuses is not asked again', async () => {
    answers = [wire.refusal];
    await expect(classify()).rejects.toMatchObject({ final: true, failedCalls: 1 });
    expect(asked).toHaveLength(1);
  });

  test.each(['that fails on the way', 'that ends early'])('%s is retried', async (how) => {
    const begun = wire.answer(judgement).slice(0, -2);
    answers = [how === 'that ends early' ? begun : [...begun, wire.error]];
    await expect(classify()).rejects.toMatchObject({ final: false, failedCalls: 1 });
  });
});
