import { draft, plan } from '../../../domain/pipeline/writer.ts';
import type { Brief } from '../../../domain/pipeline/writer.ts';
import { offlineWriter } from '../../../adapters/writer/offline/writer.ts';
import { createOfflineWriter } from '../../../adapters/writer/offline/in-job.ts';
import { ryeBread } from './rye-bread.ts';

const blueprint: Brief['blueprint'] = {
  requires: ['key_takeaways', 'faqs', 'howto_steps', 'comparison'],
  sections: [
    { heading: 'What you need', guidance: 'Tools and ingredients', min_words: 100 },
    { heading: 'How it is done', guidance: 'Step after step', min_words: 200 },
  ],
};
const brief = (values: Partial<Brief> = {}): Brief => ({ ...ryeBread, blueprint, ...values });
const sourceOf = (text: string) => ({
  n: 1,
  url: 'https://example.com/rye',
  title: null,
  published_at: null,
  text,
});
const attempt = { siteId: 'a site', signal: new AbortController().signal };

test.each([
  ['How to bake', [], null, true],
  ['Bread', [], null, false],
  ['Rye bread', [], null, false],
  ['Rye bread', ['sourdough'], null, true],
  ['Rye bread', [], 'For beginners.', true],
])('the topic “%s” with keywords %j and notes %j is taken: %p', async (title, keywords, notes, taken) => {
  const { value } = await offlineWriter.classify(brief({ title, keywords, notes }), attempt);
  expect(value.score >= 50).toBe(taken);
});

test('facts are the sentences of the source about the topic, in their order', async () => {
  const text =
    'The weather was fine on that day in town. Rye bread needs a sourdough that is active. Nobody knows who made it first of all. Sourdough for rye rests for a night.';
  const { value } = await offlineWriter.extract(brief({ sources: [sourceOf(text)] }), attempt);
  expect(value.facts).toContain('Rye bread needs a sourdough that is active. [^1]');
  expect(value.facts.indexOf('Rye bread needs a sourdough that is active. [^1]')).toBeLessThan(
    value.facts.indexOf('Sourdough for rye rests for a night. [^1]'),
  );
});

test('without a source there are no facts, whatever the keywords are', async () => {
  expect((await offlineWriter.extract(brief(), attempt)).value).toEqual({ facts: [] });
});

const material = brief({ source: 'One fact.\nAnother fact.', notes: 'Warm water.\n\nNo sugar.' });

test('an article says what notes and sources say, and nothing else', async () => {
  const { value: outline } = await offlineWriter.plan(material, attempt);
  expect(plan.parse(outline)).toEqual(outline);
  const { value } = await offlineWriter.generate({ ...material, outline }, attempt);
  expect(draft.parse(value)).toEqual({
    content: 'Warm water.\n\nNo sugar.\n\n- One fact.\n- Another fact.',
    excerpt: 'Warm water.',
    seo_title: 'How to bake rye bread',
    seo_description: 'Warm water.',
    seo_keywords: ['rye', 'sourdough'],
    key_takeaways: null,
    faqs: null,
    howto_steps: null,
    comparison: null,
  });
  const said = JSON.stringify([outline, value]);
  for (const { heading, guidance } of blueprint.sections) {
    expect(said).not.toContain(guidance);
    expect(said).not.toContain(heading);
  }
});

test.each([
  ['nothing', null, null],
  ['blanks', ' \n', ' '],
])('with %s as notes and source, there is nothing to say', async (_, notes, source) => {
  const nothing = { name: 'WriterError', final: true, code: 'NOTHING_TO_SAY', charged: false };
  await expect(offlineWriter.generate(brief({ notes, source }), attempt)).rejects.toMatchObject(nothing);
  const inJob = createOfflineWriter({ writeOffline: () => Promise.reject(new Error('asked')) } as never);
  await expect(inJob.generate(brief({ notes, source }), attempt)).rejects.toMatchObject(nothing);
});

test('the longest topics give an article within the limits of the API', async () => {
  const longest = brief({
    title: 't'.repeat(300),
    keywords: Array.from({ length: 100 }, () => 'k'.repeat(5_000)),
    notes: 'n'.repeat(5_000),
    source: Array.from({ length: 100 }, () => 'f'.repeat(5_000)).join('\n'),
  });
  const { value: outline } = await offlineWriter.plan(longest, attempt);
  expect(plan.parse(outline)).toEqual(outline);
  const { value } = await offlineWriter.generate({ ...longest, outline }, attempt);
  expect(draft.parse(value)).toEqual(value);
});

test('the same brief gives the same article', async () => {
  const one = await offlineWriter.generate(material, attempt);
  expect(await offlineWriter.generate(material, attempt)).toEqual(one);
});

test('improving adds texts that are missing, and keeps the rest', async () => {
  const { value } = await offlineWriter.improve(
    { ...material, written: { content: 'Mine.', faqs: [] } },
    attempt,
  );
  expect([value.content, value.excerpt, value.faqs]).toEqual(['Mine.', 'Warm water.', null]);
});

test.each(['日本のパン', '🍞🍞🍞 🍞', 'x', ' ', 'a'.repeat(300)])(
  'the title “%s” makes a well-formed article of notes',
  async (title) => {
    const asked = brief({ title, keywords: [], notes: 'Bread.' });
    expect(plan.safeParse((await offlineWriter.plan(asked, attempt)).value).success).toBe(true);
    expect(draft.safeParse((await offlineWriter.generate(asked, attempt)).value).success).toBe(true);
  },
);
