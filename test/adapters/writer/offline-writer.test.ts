import { draft, plan } from '../../../domain/pipeline/writer.ts';
import type { Brief } from '../../../domain/pipeline/writer.ts';
import { blankArticle } from '../../../domain/articles/row.ts';
import { improved } from '../../../domain/pipeline/results.ts';
import { offlineWriter } from '../../../adapters/writer/offline/writer.ts';

const blueprint: Brief['blueprint'] = {
  requires: ['key_takeaways', 'faqs', 'howto_steps', 'comparison'],
  sections: [
    { heading: 'What you need', guidance: 'Tools and ingredients', min_words: 100 },
    { heading: 'How it is done', guidance: 'Step after step', min_words: 200 },
  ],
};
const brief = (values: Partial<Brief> = {}): Brief => ({
  title: 'How to bake rye bread',
  keywords: ['rye', 'sourdough'],
  source: null,
  locale: 'en',
  blueprint,
  outline: null,
  written: {},
  prompt: '',
  ...values,
});
const attempt = { siteId: 'a site', signal: new AbortController().signal };
const wordCount = (text: string): number => text.split(/\s+/).length;

test.each([
  ['How to bake', [], true],
  ['Bread', [], false],
  ['Rye bread', [], false],
  ['Rye bread', ['sourdough'], true],
])('the topic “%s” with keywords %j is taken: %p', async (title, keywords, taken) => {
  const { value } = await offlineWriter.classify(brief({ title, keywords }), attempt);
  expect(value.score >= 50).toBe(taken);
});

test('facts are the sentences of the source about the topic, in their order', async () => {
  const source =
    'The weather was fine on that day in town. Rye bread needs a sourdough that is active. Nobody knows who made it first of all. Sourdough for rye rests for a night.';
  const { value } = await offlineWriter.extract(brief({ source }), attempt);
  expect(value.facts).toContain('Rye bread needs a sourdough that is active.');
  expect(value.facts.indexOf('Rye bread needs a sourdough that is active.')).toBeLessThan(
    value.facts.indexOf('Sourdough for rye rests for a night.'),
  );
});

test('the outline has the sections of the format, with the facts distributed', async () => {
  const { value } = await offlineWriter.plan(brief({ source: 'One fact.\nAnother fact.' }), attempt);
  expect(plan.parse(value)).toEqual(value);
  expect(value.sections.map(({ heading }) => heading)).toEqual(['What you need', 'How it is done']);
  expect(value.sections.map(({ points }) => points[0])).toEqual(['One fact.', 'Another fact.']);
});

test('an article has every section at its length, every required block, and a note on how it was made', async () => {
  const { value: outline } = await offlineWriter.plan(brief({ source: 'One fact.' }), attempt);
  const { value } = await offlineWriter.generate(brief({ outline }), attempt);
  expect(draft.parse(value)).toEqual(value);
  expect(value.content).toContain('made without a language model');
  expect(value.content).toContain('One fact.');
  const [needs = '', how = ''] = value.content.split('\n\n## ').slice(1);
  expect(wordCount(needs)).toBeGreaterThanOrEqual(100);
  expect(wordCount(how)).toBeGreaterThanOrEqual(200);
  for (const block of ['key_takeaways', 'faqs', 'howto_steps'] as const) expect(value[block]?.length).toBe(2);
  expect(
    value.comparison?.rows.every(({ values }) => values.length === value.comparison?.columns.length),
  ).toBe(true);
});

test('the longest topics and formats give an article within the limits of the API', async () => {
  const sections = Array.from({ length: 20 }, (_, number) => ({
    heading: `${number} ${'h'.repeat(190)}`,
    guidance: 'g'.repeat(1_000),
    min_words: 100_000,
  }));
  const keywords = Array.from({ length: 100 }, () => 'k'.repeat(5_000));
  const longest = brief({ title: 't'.repeat(300), keywords, blueprint: { ...blueprint, sections } });
  const { value: outline } = await offlineWriter.plan(longest, attempt);
  expect(plan.parse(outline)).toEqual(outline);
  const { value } = await offlineWriter.generate({ ...longest, outline }, attempt);
  expect(draft.parse(value)).toEqual(value);
});

test.each([
  ['no sections', []],
  ['one section', [{ heading: 'Part', guidance: 'Say it' }]],
  [
    'sections of no words',
    [1, 2, 3].map((part) => ({ heading: `Part ${part}`, guidance: 'Say it', min_words: 0 })),
  ],
])('a format of %s gets a whole article, as long as one without a minimum has to be', async (_, sections) => {
  const asked = brief({ blueprint: { ...blueprint, sections } });
  const { value: outline } = await offlineWriter.plan(asked, attempt);
  expect(plan.parse(outline)).toEqual(outline);
  const { value } = await offlineWriter.improve({ ...asked, outline }, attempt);
  expect(draft.parse(value)).toEqual(value);
  for (const block of ['key_takeaways', 'faqs', 'howto_steps'] as const)
    expect(value[block]?.length).toBe(Math.max(1, sections.length));
  const article = { ...blankArticle, ...value, id: '', created_at: new Date(), updated_at: new Date() };
  const step = { answer: null, inputTokens: null, outputTokens: null, prompt: '', promptVersion: null };
  expect(improved(value, asked.blueprint, step as never).destination(article as never)).toEqual({
    status: 'needs_images',
    note: null,
  });
});

test('only what the format requires is made', async () => {
  const { value } = await offlineWriter.generate(
    brief({ blueprint: { ...blueprint, requires: ['faqs'] } }),
    attempt,
  );
  expect([value.key_takeaways, value.howto_steps, value.comparison]).toEqual([null, null, null]);
  expect(value.faqs).not.toBeNull();
});

test('the same brief gives the same article', async () => {
  const one = await offlineWriter.generate(brief(), attempt);
  expect(await offlineWriter.generate(brief(), attempt)).toEqual(one);
});

test('improving adds what is missing, and keeps the rest', async () => {
  const { value } = await offlineWriter.improve(brief({ written: { content: 'Mine.', faqs: [] } }), attempt);
  expect([value.content, value.key_takeaways?.length]).toEqual(['Mine.', 2]);
});

test.each(['日本のパン', '🍞🍞🍞 🍞', 'x', ' ', 'a'.repeat(300)])(
  'the title “%s” makes a well-formed article',
  async (title) => {
    const made = await offlineWriter.generate(brief({ title, keywords: [] }), attempt);
    expect(draft.safeParse(made.value).success).toBe(true);
  },
);
