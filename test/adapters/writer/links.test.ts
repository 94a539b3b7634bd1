import { citedIn, tidyText } from '../../../adapters/writer/links/tidy.ts';
import { renderMarkdown } from '../../../packages/base/markdown/render.ts';
import { definitionsOf, withDefinitions } from '../../../packages/base/markdown/sources.ts';

const GOOD = 'https://site.example/a';
const EVIL = 'http://evil.example/x';
const tidy = (text: string, allowed = {}) =>
  tidyText({ text, allowed: { targets: [GOOD], citations: ['1'], notes: [], ...allowed } });

test.each([
  ['an inline link', `See [this](${EVIL} "t") now`, 'See this now'],
  ['a link of the Site', `See [this](${GOOD}) now`, `See [this](${GOOD}) now`],
  ['an image', `A ![b](${EVIL}) c`, 'A  c'],
  ['an image in a link that stays', `[![b](${EVIL})](${GOOD})`, `[](${GOOD})`],
  ['an address in angles', `A <${EVIL}> b`, 'A  b'],
  ['a bare address', `A ${EVIL} b and www.evil.example`, 'A  b and'],
  ['an address of mail', 'Write to me@evil.example now', 'Write to  now'],
  ['an address as the text of a link', `[${EVIL}](${EVIL})`, ''],
  ['a reference', `A [b][c] d\n\n[c]: ${EVIL}\n`, 'A b d'],
  ['a reference that stays', `A [b][c] d\n\n[c]: ${GOOD}\n`, `A [b][c] d\n\n[c]: ${GOOD}\n`],
  ['a definition that is not used', `A\n\n[c]: ${GOOD}\n`, 'A'],
  ['links in a quote in a list', `- > a [b](${EVIL})\n  > [c\n  > d](${EVIL})`, '- > a b\n  > c\n  > d'],
  [
    'links in a table',
    `| a | b |\n|---|---|\n| [x \\| y](${EVIL}) | [z](${GOOD}) |`,
    `| a | b |\n|---|---|\n| x \\| y | [z](${GOOD}) |`,
  ],
  ['links in a heading', `# [a](${EVIL}) #\n\n[b](${EVIL})\n===`, '# a #\n\nb\n==='],
  ['what is code', `\`[a](${EVIL})\`\n\n    ${EVIL}\n`, `\`[a](${EVIL})\`\n\n    ${EVIL}\n`],
  ['a tag', `a <a href="${EVIL}">b</a> c`, 'a b c'],
  ['a tag that stays', `a <a href="${GOOD}">b</a> c`, `a <a href="${GOOD}">b</a> c`],
  ['a block of HTML', `<div>\n<a href='${EVIL}'>b</a><img src="${EVIL}">\n</div>`, '<div>\nb\n</div>'],
  ['a script', '[a](javascript:alert) [b](//evil.example) [c](/x)', 'a b c'],
  ['a link within the text', '[a](#b)', '[a](#b)'],
  ['citations', 'One. [^1] Two. [^2] Three[^x]. `[^2]`', 'One. [^1] Two. Three. `[^2]`'],
  ['definitions of footnotes', `One. [^1]\n\n[^1]: ${EVIL}\n    more\n\nEnd`, 'One. [^1]\n\nEnd'],
  ['lines of Windows', `a [b](${EVIL})\r\nc`, 'a b\nc'],
])('%s', (_, text, expected) => {
  expect(tidy(text)).toBe(expected);
});

test('a footnote that a person wrote stays, with its text', () => {
  const text = 'One.[^a]\n\n[^a]: Said by hand.\n';
  expect(tidy(text, { notes: ['a'] })).toBe(text);
});

test('what a text has is told, links once', () => {
  expect(citedIn({ text: `[a](${EVIL}) ![b](${EVIL}) [^2] <${GOOD}>\n\n[^3]: Note` })).toEqual({
    targets: [EVIL, GOOD],
    citations: ['2'],
    notes: ['3'],
  });
});

test.each([
  ['links in links', `${'['.repeat(15)}a${`](${EVIL})`.repeat(15)}`],
  ['marks that are split by tags', `<a href="${EVIL}"\n>b</a> <a\nhref=${EVIL}>c`],
  ['escapes', `[a]\\(${EVIL}) \\[b](${EVIL}) h&#116;tp://evil.example/x`],
  ['a reference that is defined twice', `[a]\n\n[a]: ${GOOD}\n[a]: ${EVIL}\n[A ]: ${EVIL}`],
  ['tabs and quotes', `>\t- [a\n>\t  b](${EVIL})\n>\n> 1.\t![c](${EVIL})`],
  ['an image in an alternative text', `![a ![b](${EVIL}) [c](${EVIL})](${EVIL})`],
  ['a citation in a link', `[a [^1]](${EVIL}) [^1](${EVIL})`],
  ['a citation of a link', `[^1]: ${EVIL}\n[b][^1]`],
  ['comments', `<!-- [a](${EVIL}) --> [b](${EVIL}) <!-- > [c](${EVIL})`],
  ['a picture', `<picture><source srcset="${EVIL}"><img src="${GOOD}"></picture>`],
])('of %s nothing leads elsewhere, or the text is refused', (_, text) => {
  const tidied = tidy(text);
  const rendered = tidied === null ? { html: '' } : renderMarkdown(tidied);
  expect(rendered).toHaveProperty('html', expect.not.stringMatching(/(?:href|src)="[^"]*evil/));
});

test.each([
  ['50,000 open brackets', '['.repeat(50_000)],
  ['300 nested quotes', `${'>'.repeat(300)} [a](${EVIL})`],
  ['30,000 links in a line', `[a](${EVIL}) `.repeat(30_000)],
  ['30,000 lines with a link', `a [b](${EVIL})\n`.repeat(30_000)],
  ['30,000 definitions', `[a]: ${EVIL}\n`.repeat(30_000)],
])('%s are taken out, or refused', (_, text) => {
  expect(tidy(text) ?? '').not.toMatch(/\]\(|\]:/);
});

const source = (n: number, values = {}) => ({
  n,
  url: 'https://tea.example/a?b=1&copy;=2',
  title: 'Tea [of](javascript:x) *all*\nkinds',
  published_at: '2025-11-03T00:00:00.000Z',
  ...values,
});

test('a content gets the definitions of what it cites and does not define', () => {
  const definitions = definitionsOf([source(1), source(2), source(3, { title: null })]);
  const content = 'One.[^1] Two.[^2]\n\n[^2]: By hand.\n\n```\nopen';
  const rendered = renderMarkdown(content, {}, definitions) as { html: string };
  expect(rendered.html).toContain(
    '<a href="https://tea.example/a?b=1&amp;copy;=2">Tea [of](javascript:x) *all* kinds</a>, 2025-11-03',
  );
  expect(rendered.html).toContain('By hand.');
  expect(rendered.html.match(/<li id=/g)).toHaveLength(2);
});

test('Markdown that leaves Presswork has the definitions that it lacks', () => {
  const sources = [source(1, { title: 'Tea' }), source(2), source(3)];
  expect(withDefinitions('One.[^1] Two.[^2]\n\n[^2]: By hand.\n', sources)).toBe(
    'One.[^1] Two.[^2]\n\n[^2]: By hand.\n\n[^1]: [Tea](<https://tea.example/a?b=1&amp;copy;=2>), 2025-11-03\n',
  );
  expect(withDefinitions('Nothing.', sources)).toBe('Nothing.');
});
