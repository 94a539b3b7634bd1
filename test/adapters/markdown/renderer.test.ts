import { createRenderer, MarkdownRefused } from '../../../adapters/markdown/renderer.ts';
import type { Renderer } from '../../../adapters/markdown/renderer.ts';
import { eventually } from '../../support/eventually.ts';
import { measureWork } from '../../support/work.ts';
import { NoPermit } from '../../../runtime/fair-semaphore.ts';

let renderer: Renderer;
afterEach(() => renderer.close());

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
];

const outcome = (rendering: Promise<string>): Promise<string> =>
  rendering.then(
    () => 'rendered',
    (error: Error) => error.name,
  );

test.each(hostile)('1 MB of %s is rendered or refused', async (_, text) => {
  renderer = createRenderer();
  await renderer.render('a', 'warm');
  expect(await outcome(renderer.render('a', text))).toMatch(/^(rendered|MarkdownRefused)$/);
});

test('an article of 100 KB is rendered, by a process that has just started', async () => {
  const section = `## Water\n\n${'Fresh *water* and [leaves](https://a.b/c). '.repeat(20)}\n\n- one\n- two\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n`;
  let html = '';
  // A busy machine may give the process too little of a processor within its time limit: another one tries again.
  await eventually('it is rendered in time', async () => {
    renderer = createRenderer();
    html = await renderer.render('a', section.repeat(100_000 / section.length)).catch(() => '');
    if (html === '') renderer.close();
    return html !== '';
  });
  expect(html.match(/<h2>Water<\/h2>/g)).toHaveLength(Math.floor(100_000 / section.length));
});

test('hostile texts of one Site hold up neither the event loop nor another Site', async () => {
  renderer = createRenderer({ keepReady: true });
  await Promise.all([renderer.render('hostile', 'a'), renderer.render('other', 'b')]);
  const work = measureWork();
  let over = 0;
  const attacks = hostile.map(async ([, text]) => {
    const ended = await outcome(renderer.render('hostile', text));
    over += 1;
    return ended;
  });
  expect(await renderer.render('other', '# Page')).toBe('<h1>Page</h1>');
  // With all of them in one queue, a page would come after them.
  expect(over).toBeLessThan(hostile.length / 2);
  for (let page = 1; page < 5; page += 1)
    expect(await renderer.render('other', `# Page ${page}`)).toBe(`<h1>Page ${page}</h1>`);
  const outcomes = await Promise.all(attacks);
  // Helper processes work for some seconds.
  expect(work()).toBeLessThan(1_000);
  for (const each of outcomes) expect(each).toMatch(/^(rendered|MarkdownRefused|NoPermit)$/);
});

test('a text that takes longer than it may is refused at its time limit, and the next one is rendered', async () => {
  renderer = createRenderer();
  await renderer.render('a', 'warm');
  await expect(renderer.render('a', fill('*a _b '))).rejects.toMatchObject({
    name: 'MarkdownRefused',
    message: 'cannot be rendered: it takes longer than 200 ms',
  });
  expect(await renderer.render('a', 'next')).toBe('<p>next</p>');
});

test('a refused text is refused again without being tried', async () => {
  renderer = createRenderer();
  await renderer.render('a', 'warm');
  const text = fill('*a _b ');
  await expect(renderer.render('a', text)).rejects.toThrow(MarkdownRefused);
  let tried = false;
  // While this text is rendered, the next one of its Site waits, unless it is not tried.
  const slow = renderer.render('a', fill('*a _c ')).catch(() => (tried = true));
  await expect(renderer.render('a', text)).rejects.toThrow(MarkdownRefused);
  expect(tried).toBe(false);
  await slow;
});

test('a hundred texts of one Site may wait, and one more is refused; another Site is not', async () => {
  renderer = createRenderer({ limitMs: 5_000, longestWaitMs: 60_000 });
  const waiting = Array.from({ length: 101 }, (_, n) => renderer.render('a', `${n}`));
  await expect(renderer.render('a', 'one more')).rejects.toThrow(NoPermit);
  expect(await renderer.render('b', 'other')).toBe('<p>other</p>');
  expect(await Promise.all(waiting)).toContain('<p>100</p>');
});

test('a text that is asked for a thousand times at once is rendered once', async () => {
  renderer = createRenderer({ limitMs: 5_000 });
  const all = await Promise.all(Array.from({ length: 1_000 }, () => renderer.render('a', 'same')));
  expect(new Set(all)).toEqual(new Set(['<p>same</p>']));
});
