import type { ServerResponse } from 'node:http';
import { createGuardedClient } from '../../../adapters/http/guarded-client.ts';
import { createResearch, SearchFailed } from '../../../adapters/research/research.ts';
import type { ResearchOptions } from '../../../adapters/research/research.ts';
import type { ResearchProviderName } from '../../../adapters/research/providers.ts';
import { createJobProcesses } from '../../../adapters/untrusted-text/processes.ts';
import { closeReceivers, httpReceiver } from '../../support/receivers.ts';
import type { Seen } from '../../support/receivers.ts';
import { answers } from './answers.ts';

const http = createGuardedClient();
const jobProcesses = createJobProcesses();
const attempt = { siteId: 'a site', signal: new AbortController().signal };
const names = ['searxng', 'brave', 'tavily'] as const;

afterEach(closeReceivers);
afterAll(() => {
  jobProcesses.close();
  return http.close();
});

type Answer = (response: ServerResponse) => void;

const says =
  (body: unknown, status = 200): Answer =>
  (response) =>
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(typeof body === 'string' ? body : JSON.stringify(body));

/** Searches at a local server. @returns also what it was asked */
async function search(
  provider: ResearchProviderName,
  answer: Answer,
  options: Partial<ResearchOptions> = {},
  question = 'How long does rye rest? 20 °C & more',
) {
  const receiver = await httpReceiver((_, response) => answer(response));
  const research = createResearch({
    provider,
    baseUrl: `${receiver.url}/`,
    apiKey: 'key-of-the-search',
    http,
    jobProcesses,
    ...options,
  });
  const found = await research.search(question, attempt).catch((error: unknown) => error);
  return { found, asked: receiver.seen[0] as Seen, times: receiver.seen.length };
}

test.each(names)('%s: the pages that it found are read, best first, each once', async (name) => {
  const urls = ['https://one.example/a#part', 'http://two.example/b?c=d', 'https://one.example/a'];
  const { found } = await search(name, says(answers[name](urls)));
  expect(found).toEqual(['https://one.example/a', 'http://two.example/b?c=d']);
});

test.each(names)('%s: finding nothing is no failure', async (name) => {
  expect((await search(name, says(answers[name]([])))).found).toEqual([]);
});

test.each(names)('%s: only ten web addresses of a result are looked at', async (name) => {
  const others = [
    'javascript:alert(1)',
    'file:///etc/passwd',
    'no address',
    'https://user:secret@one.example/',
    `https://one.example/${'a'.repeat(2_000)}`,
  ];
  const pages = Array.from({ length: 30 }, (_, index) => `https://one.example/${index}`);
  const { found } = await search(name, says(answers[name]([...others, ...pages])));
  expect(found).toEqual(pages.slice(0, 10));
});

const question = 'How long does rye rest? 20 °C & more';

test('SearXNG is asked for JSON, without a key', async () => {
  const { asked } = await search('searxng', says(answers.searxng([])));
  const url = new URL(asked.path, 'http://localhost');
  expect([asked.method, url.pathname]).toEqual(['GET', '/search']);
  expect(Object.fromEntries(url.searchParams)).toEqual({ q: question, format: 'json' });
  expect(JSON.stringify(asked.headers)).not.toContain('key-of-the-search');
});

test('Brave is asked for web results, with its token', async () => {
  const { asked } = await search('brave', says(answers.brave([])));
  const url = new URL(asked.path, 'http://localhost');
  expect([asked.method, url.pathname]).toEqual(['GET', '/res/v1/web/search']);
  expect(Object.fromEntries(url.searchParams)).toEqual({ q: question, count: '10', result_filter: 'web' });
  expect(asked.headers['x-subscription-token']).toBe('key-of-the-search');
  expect(asked.path).not.toContain('key-of-the-search');
});

test('Tavily is posted the question, with its key', async () => {
  const { asked } = await search('tavily', says(answers.tavily([])));
  expect([asked.method, asked.path]).toEqual(['POST', '/search']);
  expect(JSON.parse(asked.body)).toEqual({ query: question, max_results: 10 });
  expect(asked.headers).toMatchObject({
    authorization: 'Bearer key-of-the-search',
    'content-type': 'application/json',
  });
});

const hangs: Answer = () => {};
const stalls: Answer = (response) =>
  void response.writeHead(200, { 'content-type': 'application/json' }).write('{"results":');
const cut: Answer = (response) => {
  response.writeHead(200, { 'content-length': '1000' }).write('{"results":');
  response.destroy();
};
const large = `{"type":"search","results":[],"more":"${'a'.repeat(10 * 2 ** 20)}"}`;

test.each<[string, Answer, string]>([
  ['gives no answer', hangs, 'it gave no answer (timeout)'],
  ['stalls in the middle', stalls, 'it gave no answer (timeout)'],
  ['is cut off', cut, 'it gave no answer (connection)'],
  ['has had enough', says({ error: { code: 'RATE_LIMITED' } }, 429), 'it answered 429'],
  ['does not know the key', says({ detail: { error: 'Unauthorized' } }, 401), 'it answered 401'],
  ['breaks', says('Internal Server Error', 500), 'it answered 500'],
  [
    'sends elsewhere',
    (response) => response.writeHead(302, { location: 'https://example.com/' }).end(),
    'it gave no answer (redirect)',
  ],
  [
    'is a page',
    says('<!doctype html><title>Search</title>'),
    'it answered with something other than results',
  ],
  ['answers in another form', says({ results: 'none' }), 'it answered with something other than results'],
  ['answers nothing', says('null'), 'it answered with something other than results'],
  ['has 10 MB', says(large), 'its answer has more than 2 MiB'],
])('a search that %s has failed, once', async (_, answer, message) => {
  for (const name of names) {
    const { found, times } = await search(name, answer, {
      limitMs: answer === hangs || answer === stalls ? 300 : 10_000,
    });
    expect([found, times]).toEqual([expect.any(SearchFailed), 1]);
    // Neither question nor key nor address, which would be in logs.
    expect((found as SearchFailed).message).toBe(message);
  }
});

test('a server that is not there is a failed search', async () => {
  const { found } = await search('searxng', hangs, { baseUrl: 'http://127.0.0.1:9' });
  expect((found as SearchFailed).message).toBe('it gave no answer (connection)');
});

test('a search that is no longer needed is given up, and has not failed', async () => {
  const controller = new AbortController();
  const receiver = await httpReceiver(() => controller.abort(new Error('the worker ends')));
  const research = createResearch({
    provider: 'searxng',
    baseUrl: receiver.url,
    apiKey: '',
    http,
    jobProcesses,
  });
  await expect(research.search('rye', { siteId: 'a site', signal: controller.signal })).rejects.toThrow(
    'the worker ends',
  );
});
