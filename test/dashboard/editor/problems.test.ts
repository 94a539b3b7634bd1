import { markdownLanguage } from '@codemirror/lang-markdown';
import { MOST_PROBLEMS, problemsIn } from '../../../dashboard/screens/editor/markdown/problems.ts';

/** The kinds of problems with the text that each one marks. */
const found = (text: string): [string, string][] =>
  problemsIn(markdownLanguage.parser.parse(text), (from, to) => text.slice(from, to)).map(
    ({ kind, from, to }) => [kind, text.slice(from, to)],
  );

test.each<[string, [string, string][]]>([
  [
    '![](tea.png) and ![ ](tea.png) and ![A cup](tea.png)',
    [
      ['missingAlt', '![](tea.png)'],
      ['missingAlt', '![ ](tea.png)'],
    ],
  ],
  ['## Two\n\n#### Four\n\n## Two', [['skippedLevel', '#### Four']]],
  ['### First', [['skippedLevel', '### First']]],
  ['One\n---\n\n### Three', []],
  [
    '[](https://a.example) [Text]() [Text](<>)',
    [
      ['emptyLinkText', '[](https://a.example)'],
      ['emptyLinkTarget', '[Text]()'],
      ['emptyLinkTarget', '[Text](<>)'],
    ],
  ],
  ['[Text](https://a.example) [ref][1] [1]\n\n[1]: https://a.example', []],
  ['[![A cup](a.png)](https://a.example)', []],
  ['`![](a.png)`\n\n```\n#### Code\n![](b.png)\n```', []],
])('%j', (text, problems) => {
  expect(found(text)).toEqual(problems);
});

test('a text full of problems is read to a bound', () => {
  expect(found('![](a.png)\n\n'.repeat(5_000))).toHaveLength(MOST_PROBLEMS);
});
