import { tests as examples } from 'commonmark-spec';
import fc from 'fast-check';
import { readPlainWords } from '../../../adapters/markdown/plain-words.ts';
import { readWords } from '../../../adapters/markdown/read-words.ts';

const textOf = (content: string) => ({ title: null, excerpt: null, content });

/** What links stand beside, and in, where they are links and where they are none. */
const links = [
  '[a link](/path)',
  '[two *words*](https://example.com/a?b=c&d=e_f_g)',
  '![a picture](/i.png)',
  '[odd](/a*b*c)',
  '[a|b](/x)',
  '[x](/a|b)',
  '[a](javascript:b)',
  '[a](b)',
  '[a]()',
  '[ ](/x)',
  '[^1](/x)',
];
const signs = String.raw`\ ! ^ [ ] (/x) ( ) * ** _ ~ ~~ &amp; <b> | : tea pot C++ - # >`.split(' ');
const spaces = [' ', '  ', '    ', '\t', '\n', '\n\n', '\n- ', '\n# ', '\n\n|a|b|\n|-|-|\n'];
const pieces = [...links, ...signs, ...spaces, '`'];

test('words that are read without rendering are those of the rendered text', () => {
  const mixed = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 9 });
  const texts = [
    ...examples.map(({ markdown }) => markdown.replaceAll('→', '\t')),
    ...fc.sample(mixed, { seed: 1, numRuns: 20_000 }).map((parts) => parts.join('')),
  ];
  // The numbers of an ordered list are read here, although they are no text of it.
  const read = texts.filter((text) => !/\d[.)]/.test(text) && readPlainWords(textOf(text)) !== null);
  expect(read.length).toBeGreaterThan(2_000);
  expect(read.filter((text) => text.includes('](')).length).toBeGreaterThan(200);
  const different = read.filter(
    (text) => readPlainWords(textOf(text))?.words !== readWords(textOf(text)).words,
  );
  expect(different).toEqual([]);
});

test.each([
  ['prose', 'Tea, and **more** tea.', ' tea and more tea '],
  [
    'a list of links',
    '- [green tea](/green)\n- see [black](https://a.example/b?c=d&e).',
    ' green tea see black ',
  ],
  ['a picture', 'A ![tea pot](/pot.png) here', ' a tea pot here '],
])('%s is read without rendering', (_what, text, words) => {
  expect(readPlainWords(textOf(text))?.words).toBe(words);
});
