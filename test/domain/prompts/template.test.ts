import { defaultTemplates } from '../../../domain/prompts/default-templates.ts';
import { promptStages } from '../../../domain/prompts/stages.ts';
import * as templates from '../../../domain/prompts/template.ts';
import { missingPlaceholders, placeholdersOf, PROMPT_LENGTH } from '../../../domain/prompts/template.ts';
import { nothingKnown } from '../../support/about-site.ts';
import type { TemplateValues } from '../../../domain/prompts/template.ts';

const renderTemplate = (template: string, given: TemplateValues): string => {
  const rendered = templates.renderTemplate(template, given);
  if ('prompt' in rendered) return rendered.prompt;
  throw new Error(`It would have ${rendered.tooLong} characters`);
};

const values: TemplateValues = {
  title: 'How bread rises',
  keywords: ['bread', 'yeast'],
  source: 'Yeast makes gas.',
  locale: 'en',
  blueprint: {
    requires: ['faqs', 'howto_steps'],
    sections: [
      { heading: 'Lead', guidance: 'First.', min_words: 50, max_words: 100 },
      { heading: 'Body', guidance: 'Then.', min_words: 50 },
      { heading: 'End', guidance: 'Last.', max_words: 9 },
      { heading: 'More', guidance: 'Free.' },
    ],
  },
  outline: {
    sections: [
      { heading: 'Gas', points: ['Yeast eats sugar.', 'Gas is caught.'] },
      { heading: 'Heat', points: [] },
    ],
  },
  written: { content: 'Text.', excerpt: null, faqs: [{ question: 'Q', answer: 'A' }] },
  about: {
    site: 'Name: Bread',
    voice: 'Tone: calm',
    notes: 'Say why.',
    related: '- Rye: https://bread.example/rye',
    terms: 'Tags: rye',
    sources: '',
    date: '2026-03-01',
  },
};

test.each([
  ['{{title}} / {{ title }} / {{title}}', 'How bread rises / How bread rises / How bread rises'],
  ['{{keywords}}', 'bread, yeast'],
  ['{{blocks}}', 'faqs, howto_steps'],
  [
    '{{sections}}',
    '1. Lead (50 to 100 words): First.\n2. Body (at least 50 words): Then.\n3. End (at most 9 words): Last.\n4. More: Free.',
  ],
  [
    '{{site}}|{{voice}}|{{notes}}|{{related}}|{{terms}}|{{date}}',
    'Name: Bread|Tone: calm|Say why.|- Rye: https://bread.example/rye|Tags: rye|2026-03-01',
  ],
  ['{{outline}}', '## Gas\n- Yeast eats sugar.\n- Gas is caught.\n\n## Heat'],
  [
    '{{article}}',
    '{\n  "content": "Text.",\n  "faqs": [\n    {\n      "question": "Q",\n      "answer": "A"\n    }\n  ]\n}',
  ],
  [
    '{{unknown}} {{constructor}} {title} {{}} {{ti tle}}',
    '{{unknown}} {{constructor}} {title} {{}} {{ti tle}}',
  ],
])('%s is filled in', (template, text) => {
  expect(renderTemplate(template, values)).toBe(text);
});

test('braces and dollars in a value are plain text', () => {
  expect(
    renderTemplate('{{title}}|{{source}}', { ...values, title: '{{source}}', source: '$& $1 {{title}}' }),
  ).toBe('{{source}}|$& $1 {{title}}');
  const about = { ...values.about, notes: '{{title}} $&' };
  expect(renderTemplate('{{notes}}', { ...values, about })).toBe('{{title}} $&');
});

test('a missing value is rendered as none', () => {
  const empty = {
    ...values,
    keywords: [],
    source: null,
    outline: null,
    written: {},
    blueprint: { requires: [], sections: [] },
  };
  expect(
    renderTemplate('{{keywords}}|{{source}}|{{outline}}|{{article}}|{{sections}}|{{blocks}}', empty),
  ).toBe(Array.from({ length: 6 }, () => '(none)').join('|'));
});

test('what nothing is known of the blog is rendered as nothing', () => {
  expect(
    renderTemplate('<{{site}}{{voice}}{{notes}}{{related}}{{terms}}{{sources}}{{date}}>', {
      ...values,
      about: nothingKnown,
    }),
  ).toBe('<>');
});

test.each(promptStages)('the default for %s says all that is known of the blog', (stage) => {
  expect(placeholdersOf(defaultTemplates[stage])).toEqual(
    expect.arrayContaining(['site', 'voice', 'notes', 'related', 'terms', 'sources', 'date']),
  );
});

test('placeholders are listed once, in order, without braces', () => {
  expect(placeholdersOf('{{b}} {{ a }} {{b}} {c} {{1d}} {{ e_1 }}')).toEqual(['b', 'a', 'e_1']);
});

test.each(promptStages)('every placeholder of the default for %s is known', (stage) => {
  const template = defaultTemplates[stage];
  expect(template.length).toBeGreaterThan(500);
  expect(placeholdersOf(template)).toEqual(expect.arrayContaining(['title', 'keywords']));
  expect(renderTemplate(template, values)).not.toMatch(/\{\{|\}\}/);
  expect(missingPlaceholders(stage, template)).toEqual([]);
  expect(missingPlaceholders(stage, 'x')).toEqual(placeholdersOf(template));
});

test('a prompt has at most 200,000 code points; a longer one is reported, and not built', () => {
  const at = (count: number) =>
    templates.renderTemplate('{{title}}{{title}}', { ...values, title: '🍞'.repeat(count / 2) });
  const full = at(PROMPT_LENGTH) as { prompt: string };
  expect([...full.prompt]).toHaveLength(PROMPT_LENGTH);
  expect(at(PROMPT_LENGTH + 2)).toEqual({ tooLong: PROMPT_LENGTH + 2 });
});

test('the length of a prompt is computed without building it: 4,000 times half a megabyte takes no memory', () => {
  const keywords = Array.from({ length: 100 }, () => 'k'.repeat(5_000));
  const before = process.memoryUsage().rss;
  const rendered = templates.renderTemplate('{{keywords}}'.repeat(4_000), { ...values, keywords });
  expect(rendered).toEqual({ tooLong: 4_000 * (100 * 5_000 + 99 * 2) });
  expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
});
