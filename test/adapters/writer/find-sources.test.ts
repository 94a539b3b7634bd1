import type { Topic } from '../../../domain/pipeline/brief.ts';
import { WriterError } from '../../../domain/pipeline/writer.ts';
import type { Brief, Writer } from '../../../domain/pipeline/writer.ts';
import { renderTemplate } from '../../../domain/prompts/template.ts';
import { TooBusy } from '../../../adapters/pages/visit.ts';
import { SearchFailed } from '../../../adapters/research/research.ts';
import { findSources, readerOfFound } from '../../../adapters/writer/find-sources.ts';
import { offlineWriter } from '../../../adapters/writer/offline/writer.ts';
import { nothingKnown } from '../../support/about-site.ts';

const topic = {
  title: 'How to bake rye bread',
  keywords: ['rye', 'sourdough'],
  source: null,
  sources: [],
  notes: 'Mention the crust.',
  locale: 'en',
  blueprint: { requires: [], sections: [] },
  outline: null,
  written: {},
  about: { ...nothingKnown, notes: 'Mention the crust.' },
} as Topic;
const attempt = { siteId: 'a site', signal: new AbortController().signal };
const known = { named: ['https://named.example/page'], domain: 'Blog.example.com' };
const page = (name: string): string => `https://${name}.example/`;

/** Finds with a search that knows the results of each question. */
async function find(
  results: Readonly<Record<string, readonly string[] | Error>>,
  writer = asking(Object.keys(results)),
) {
  const searched: string[] = [];
  let [running, most] = [0, 0];
  const found = await findSources(
    {
      writer,
      research: {
        async search(question) {
          searched.push(question);
          running += 1;
          most = Math.max(most, running);
          await new Promise(setImmediate);
          running -= 1;
          const result = results[question] ?? [];
          if (result instanceof Error) throw result;
          return result;
        },
      },
      jobProcesses: { renderPrompt: async (_, { template, values }) => renderTemplate(template, values) },
    },
    topic,
    known,
    attempt,
  );
  return { ...found, searched, most };
}

const asking = (questions: readonly string[], asked: Brief[] = []): Writer => ({
  ...offlineWriter,
  name: 'llm',
  async questions(brief) {
    asked.push(brief);
    return {
      value: { questions: [...questions] },
      answer: '{"questions":[]}',
      inputTokens: 12,
      outputTokens: 5,
    };
  },
});

test('the writer is asked once, of the topic, and what that used is told', async () => {
  const asked: Brief[] = [];
  const { searched, spent } = await find({}, asking(['  What is\nrye?  ', 'What is rye?', '  '], asked));
  expect(asked.map(({ prompt }) => prompt)).toEqual([expect.stringContaining('How to bake rye bread')]);
  expect(asked[0]?.prompt).toContain('Mention the crust.');
  expect(searched).toEqual(['What is rye?']);
  expect(spent).toEqual({ answer: '{"questions":[]}', inputTokens: 12, outputTokens: 5 });
});

test('the offline writer is not asked: title and keywords are the only question', async () => {
  const { searched, spent, urls } = await find(
    { 'How to bake rye bread rye sourdough': [page('one')] },
    offlineWriter,
  );
  expect([searched, urls]).toEqual([['How to bake rye bread rye sourdough'], [page('one')]]);
  expect(spent).toEqual({ answer: null, inputTokens: null, outputTokens: null });
});

test('a question has no more words and characters than search engines take', async () => {
  const { searched } = await find({}, asking(['word '.repeat(80), `${'a'.repeat(299)}😀`]));
  expect(searched[0]?.split(' ')).toHaveLength(50);
  expect(searched[1]?.length).toBe(300);
  expect(searched[1]?.isWellFormed()).toBe(true);
});

test('the first results of each question come first, ten pages in all', async () => {
  const results = Object.fromEntries(
    ['a', 'b', 'c'].map((name) => [name, Array.from({ length: 8 }, (_, index) => page(`${name}${index}`))]),
  );
  const { urls } = await find(results);
  expect(urls).toEqual(['a0', 'b0', 'c0', 'a1', 'b1', 'c1', 'a2', 'b2', 'c2', 'a3'].map(page));
});

test('pages that are named or found already, and those of the Site, are left out', async () => {
  const { urls } = await find({
    a: ['https://named.example/page', 'https://blog.example.com/rye', page('one')],
    b: ['https://www.blog.example.com/', 'http://blog.example.com:8080/', page('one'), page('two')],
    c: ['https://example.com/', 'https://notblog.example.com/'],
  });
  expect(urls).toEqual(['https://example.com/', 'https://notblog.example.com/', page('one'), page('two')]);
});

test('four searches run at once', async () => {
  const { most, searched } = await find(Object.fromEntries([...'abcdefgh'].map((name) => [name, []])));
  expect([most, searched.length]).toEqual([4, 8]);
});

test('searches that fail leave what the others found, and are told without their questions', async () => {
  const { urls, problem } = await find({
    'a secret question': new SearchFailed('it answered 429'),
    b: [page('one')],
    c: new SearchFailed('it answered 429'),
    d: new SearchFailed('it gave no answer (timeout)'),
  });
  expect(urls).toEqual([page('one')]);
  expect(problem).toBe('3 of 4 searches failed: it answered 429; it gave no answer (timeout).');
  expect((await find({ b: [page('one')] })).problem).toBeNull();
});

test('without questions, or with a fault of ours, the attempt fails', async () => {
  const error = new WriterError('it could not be reached.', { final: false });
  await expect(find({}, { ...asking([]), questions: () => Promise.reject(error) })).rejects.toBe(error);
  const fault = new Error('ours');
  await expect(find({ a: fault })).rejects.toBe(fault);
});

test('a found page that cannot be read is passed over; one that is named is reported', async () => {
  const reader = readerOfFound(
    {
      async read(url) {
        if (url?.includes('busy')) throw new TooBusy('too many requests to the host wait');
        return { text: null, problem: 'status 404' } as never;
      },
    },
    [page('found'), page('busy')],
  );
  for (const url of [page('found'), page('busy')])
    expect(await reader.read(url, attempt)).toMatchObject({ text: null, problem: null });
  expect(await reader.read(page('named'), attempt)).toMatchObject({ problem: 'status 404' });
  await expect(reader.read(page('busy-and-named'), attempt)).rejects.toThrow(TooBusy);
});
