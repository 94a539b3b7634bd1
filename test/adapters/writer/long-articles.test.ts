import type { Brief } from '../../../domain/pipeline/writer.ts';
import { createGuardedClient } from '../../../adapters/http/guarded-client.ts';
import { createJobProcesses } from '../../../adapters/untrusted-text/processes.ts';
import { createModelWriter } from '../../../adapters/writer/llm/writer.ts';
import { says, startModelServer } from './model-server.ts';
import type { ModelServer } from './model-server.ts';
import { article, ryeBread } from './rye-bread.ts';

const brief: Brief = { ...ryeBread, prompt: 'Write about “How to bake rye bread”.' };
const http = createGuardedClient();
const jobProcesses = createJobProcesses();
const attempt = { siteId: 'a site', signal: new AbortController().signal };
let server: ModelServer;

beforeAll(async () => {
  server = await startModelServer();
});
afterAll(async () => {
  jobProcesses.close();
  await http.close();
  await server.close();
});
beforeEach(() => void server.asked.splice(0));

const writer = (maxOutputTokens?: number) =>
  createModelWriter({
    baseUrl: server.url,
    apiKey: 'key-1',
    model: 'model-1',
    http,
    jobProcesses,
    maxOutputTokens,
  });

test('an answer of 100,000 tokens is read', async () => {
  const long = { ...article, content: 'A word. '.repeat(87_500) };
  server.reactions = [says(JSON.stringify(long))];
  const { value } = await writer(100_000).generate(brief, attempt);
  expect(value.content).toHaveLength(700_000);
});

test('a long article is written section by section, and summed up by its text', async () => {
  const outline = {
    sections: [
      { heading: 'Dough', points: ['flour', 'time'], minWords: 900 },
      { heading: 'Oven', points: ['heat'], minWords: 900 },
    ],
  };
  const { content: _, ...frame } = article;
  const sections = ['Mix and wait.', '## Oven\n\nBake.'].map((content) => says(JSON.stringify({ content })));
  server.reactions = [...sections, says(JSON.stringify(frame))];
  const written = await writer().generate({ ...brief, outline }, attempt);
  expect(written).toMatchObject({
    value: { ...frame, content: '## Dough\n\nMix and wait.\n\n## Oven\n\nBake.' },
    inputTokens: 33,
    outputTokens: 21,
  });
  const prompts = server.asked.map(({ body }) => body.messages.at(-1)?.content);
  expect(prompts[0]).toMatch(/section 1 of 2 .*“Dough”.*flour; time.*at least 900 words/s);
  expect(prompts[1]).toMatch(/section 2 of 2 .*“Oven”.*## Dough\n\nMix and wait\./s);
  expect(prompts[2]).toMatch(/## Oven\n\nBake\.$/);
});
