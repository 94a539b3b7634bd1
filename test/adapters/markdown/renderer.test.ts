import { createJobProcesses } from '../../../adapters/untrusted-text/processes.ts';
import type { JobProcesses, JobProcessesOptions } from '../../../adapters/untrusted-text/processes.ts';
import { createRenderer, MarkdownRefused } from '../../../adapters/markdown/renderer.ts';
import type { Renderer } from '../../../adapters/markdown/renderer.ts';
import { testRenderer } from '../../support/renderer.ts';
import { measureWork } from '../../support/work.ts';
import { NoPermit } from '../../../runtime/fair-semaphore.ts';

let processes: JobProcesses | undefined;
afterEach(() => processes?.close());
const start = (options?: JobProcessesOptions): Renderer =>
  createRenderer((processes = createJobProcesses(options)));

/** The longest content. */
const MEGABYTE = 900_000;
const fill = (part: string): string => part.repeat(Math.ceil(MEGABYTE / part.length)).slice(0, MEGABYTE);

const hostile: readonly (readonly [string, string])[] = [
  ['open brackets', fill('[')],
  ['nested links', fill('[a](')],
  ['nested images', fill('![[]()')],
  ['emphasis that never closes', fill('*a _b ')],
  ['runs of asterisks', fill('**a*')],
  ['backticks of many lengths', Array.from({ length: 1_300 }, (_, n) => '`'.repeat(n + 1)).join(' ')],
  ['nested quotes', fill('>')],
  ['nested lists', Array.from({ length: 1_300 }, (_, n) => `${' '.repeat(n)}- a`).join('\n')],
  ['table cells', fill('| a ')],
  ['a wide table', `${'|a'.repeat(20_000)}\n${'|-'.repeat(20_000)}\n${'|\n'.repeat(300_000)}`],
  ['open tags', fill('<b>')],
  ['tags that are misnested', fill('<a><b></a><i>')],
  ['attributes', `<b ${fill('a ')}>`],
  ['footnotes', fill('[^a]: b\n\n[^a] ')],
  ['entities', fill('&amp;')],
  ['definitions', Array.from({ length: 50_000 }, (_, n) => `[${n}]: /a`).join('\n')],
  ['autolinks', fill('www.a.b@c.d ')],
  ['tildes', fill('~a ')],
  ['labels of footnotes', `[^a]: b\n\n${fill('[^')}`],
  ['images within images', fill('![')],
  ['links with titles', fill('[a](b "c')],
  ['nested elements', fill('<div>')],
  [
    'elements of different formats',
    Array.from({ length: 40_000 }, (_, n) => `<b id=${n}>\n\na`).join('\n\n'),
  ],
  ['a long link that is often referred to', `${'[a] '.repeat(100_000)}\n\n[a]: /${'b'.repeat(400_000)}`],
  [
    'tables of missing cells',
    `${'|a'.repeat(1_000)}\n${'|-'.repeat(1_000)}\n${'|\n'.repeat(65)}\n`.repeat(200),
  ],
];

const prose =
  'The kettle *whistled* for an hour, and `nobody` came; see [the log](https://a.example/b_c) of May. ';
const rows = (cells: string): string =>
  `| a | b | c |\n| - | - | - |\n${cells.repeat(80_000)}`.slice(0, MEGABYTE);
const ordinary: readonly (readonly [string, string])[] = [
  ['prose', fill(`${prose.repeat(8)}\n\n`)],
  ['one paragraph', fill(prose)],
  ['short paragraphs', fill('word\n\n')],
  ['a list', fill('- word\n')],
  ['a nested list', fill('- word\n  - word\n    1. word\n')],
  ['a table', rows('| 1 | 2 | 3 |\n')],
  ['links', fill('[a](https://a.example/b) ')],
  ['images', fill('![a](https://a.example/b.png)\n\n')],
  [
    'footnotes',
    Array.from({ length: 10_000 }, (_, n) => `word[^${n}]\n\n[^${n}]: The note ${n}.\n\n`).join(''),
  ],
  ['code', `\`\`\`js\n${fill('let a = b < c && d;\n')}\n\`\`\``],
  ['HTML', fill('<p>A <b>bold</b> word, <a href="/a">a link</a>.</p>\n')],
  ['headings', fill('## A heading\n\nA sentence.\n\n')],
  ['quotes', fill('> A quote\n> of two lines\n\n')],
  ['Chinese', fill('水壶**响了**一个小时，没有人来。')],
];

const outcome = (rendering: Promise<string>): Promise<string> =>
  rendering.then(
    () => 'rendered',
    (error: Error) => error.name,
  );

test.each(hostile)('1 MB of %s is rendered or refused, each time alike', async (_, text) => {
  const first = await outcome(testRenderer.render('a', text));
  expect(first).toMatch(/^(rendered|MarkdownRefused)$/);
  // Another placement, which the cache does not know.
  if (first === 'MarkdownRefused')
    expect(await outcome(testRenderer.render('a', text, { scope: 'again' }))).toBe(first);
});

test.each(ordinary)('900,000 characters of %s are rendered', async (_, text) => {
  expect(await outcome(testRenderer.render('a', text))).toBe('rendered');
});

test('hostile texts of one Site hold up neither the event loop nor another Site', async () => {
  const own = start({ keepReady: 'renderMarkdown' });
  await Promise.all([own.render('hostile', 'a'), own.render('other', 'b')]);
  const work = measureWork();
  let over = 0;
  const attacks = hostile.map(async ([, text]) => {
    const ended = await outcome(own.render('hostile', text));
    over += 1;
    return ended;
  });
  expect(await own.render('other', '# Page')).toBe('<h1>Page</h1>');
  // With all of them in one queue, a page would come after them.
  expect(over).toBeLessThan(hostile.length / 2);
  for (let page = 1; page < 5; page += 1)
    expect(await own.render('other', `# Page ${page}`)).toBe(`<h1>Page ${page}</h1>`);
  const outcomes = await Promise.all(attacks);
  // Helper processes work for some seconds.
  expect(work()).toBeLessThan(1_000);
  for (const each of outcomes) expect(each).toMatch(/^(rendered|MarkdownRefused|NoPermit)$/);
});

test('a text that is refused is refused again without being tried, and the next one is rendered', async () => {
  const own = start();
  const text = fill('[');
  await expect(own.render('a', text)).rejects.toMatchObject({
    name: 'MarkdownRefused',
    message: 'has too many brackets or other marks that are opened and never closed',
  });
  let tried = false;
  // While this text is rendered, the next one of its Site waits, unless it is not tried.
  const slow = own.render('a', `${text}a`).catch(() => (tried = true));
  await expect(own.render('a', text)).rejects.toThrow(MarkdownRefused);
  expect(tried).toBe(false);
  await slow;
  expect(await own.render('a', 'next')).toBe('<p>next</p>');
});

test('a hundred texts of one Site may wait, and one more is refused; another Site is not', async () => {
  const own = start({ longestWaitMs: 60_000 });
  const waiting = Array.from({ length: 101 }, (_, n) => own.render('a', `${n}`));
  await expect(own.render('a', 'one more')).rejects.toThrow(NoPermit);
  expect(await own.render('b', 'other')).toBe('<p>other</p>');
  expect(await Promise.all(waiting)).toContain('<p>100</p>');
});

test('a text that is asked for a thousand times at once is rendered once', async () => {
  const own = start();
  const all = await Promise.all(Array.from({ length: 1_000 }, () => own.render('a', 'same')));
  expect(new Set(all)).toEqual(new Set(['<p>same</p>']));
});
