import type { Placement } from '../../../../packages/base/markdown/place.ts';
import { renderMarkdown } from '../../../../packages/base/markdown/render.ts';

const render = (text: string, placement?: Placement): string => {
  const rendering = renderMarkdown(text, placement);
  if ('refused' in rendering) throw new Error(rendering.refused);
  return rendering.html;
};

test.each([
  ['a heading and emphasis', '# A *b* **c**', '<h1>A <em>b</em> <strong>c</strong></h1>'],
  ['a link with a title', '[a](/b "c")', '<p><a href="/b" title="c">a</a></p>'],
  ['a link within the page', '[a](#b)', '<p><a href="#b">a</a></p>'],
  ['an image', '![a](https://example.com/b.png)', '<p><img src="https://example.com/b.png" alt="a"></p>'],
  [
    'code of a language',
    '```js\nlet a = "<b>";\n```',
    '<pre><code class="language-js">let a = "&lt;b>";\n</code></pre>',
  ],
  ['a list that starts at 3', '3. a\n4. b', '<ol start="3">\n<li>a</li>\n<li>b</li>\n</ol>'],
  ['text with special characters', 'a & b < c', '<p>a &amp; b &lt; c</p>'],
  ['struck text', '~~a~~ ~b~', '<p><del>a</del> <del>b</del></p>'],
  ['tildes that do not match', '~~a~ ~~~b~~~', '<p>~~a~ ~~~b~~~</p>'],
  ['struck text across emphasis', '*a ~b* c~', '<p><em>a ~b</em> c~</p>'],
  [
    'an address without brackets',
    'See www.example.com.',
    '<p>See <a href="http://www.example.com">www.example.com</a>.</p>',
  ],
  [
    'addresses that GFM does not link',
    'ftp://a.b //c.d/e example.com xwww.a.b',
    '<p>ftp://a.b //c.d/e example.com xwww.a.b</p>',
  ],
  [
    'an address with parentheses',
    '(https://a.b/c+(d))',
    '<p>(<a href="https://a.b/c+(d)">https://a.b/c+(d)</a>)</p>',
  ],
  ['an e-mail address', 'a.b@c.d.', '<p><a href="mailto:a.b@c.d">a.b@c.d</a>.</p>'],
  [
    'an upper-case scheme',
    '<HTTPS://example.com/A>',
    '<p><a href="https://example.com/A">HTTPS://example.com/A</a></p>',
  ],
  [
    'a table with alignment',
    '| a | b |\n| :- | -: |\n| 1 | 2 |',
    '<table>\n<thead>\n<tr>\n<th align="left">a</th>\n<th align="right">b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td align="left">1</td>\n<td align="right">2</td>\n</tr>\n</tbody>\n</table>',
  ],
  [
    'a task list',
    '- [x] a\n- [ ] b',
    '<ul>\n<li><input type="checkbox" disabled checked> a</li>\n<li><input type="checkbox" disabled> b</li>\n</ul>',
  ],
  [
    'a task in a numbered list',
    '1. [X] a',
    '<ol>\n<li><input type="checkbox" disabled checked> a</li>\n</ol>',
  ],
  [
    'what is no task',
    '- [ ]a\n- \\[ ] b\n- c [x] d',
    '<ul>\n<li>[ ]a</li>\n<li>[ ] b</li>\n<li>c [x] d</li>\n</ul>',
  ],
  [
    'a table with a pipe in code, and cells that are missing or too many',
    'a | b\n-- | --\n`\\|`\nc | d | e',
    '<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td><code>|</code></td>\n<td></td>\n</tr>\n<tr>\n<td>c</td>\n<td>d</td>\n</tr>\n</tbody>\n</table>',
  ],
  ['harmless HTML', 'a <kbd>Tab</kbd> <sub>2</sub>', '<p>a <kbd>Tab</kbd> <sub>2</sub></p>'],
  ['Markdown within HTML', '<details>\n\n*a*\n\n</details>', '<details>\n<p><em>a</em></p>\n</details>'],
  ['nothing', '', ''],
])('%s is rendered as CommonMark and GFM say', (_, text, html) => {
  expect(render(text)).toBe(html);
});

test.each([
  ['Name', 'name'],
  ['ΣΊΣΥΦΟΣ', 'σίσυφος'],
  ['Straße', 'STRASSE'],
  ['__proto__', '__PROTO__'],
  ['constructor', 'constructor'],
])('a footnote %j is the one that is defined as %j', (reference, definition) => {
  expect(render(`a[^${reference}]\n\n[^${definition}]: the note`)).toContain('the note');
});

test('of several footnotes with one label the first counts', () => {
  const html = render(
    'a[^1] b[^X]\n\n[^1]: first\n\n    more\n\n[^1]: second\n\n[^x]: third\n\n[^X]: fourth',
  );
  expect(html).toContain('first');
  expect(html).toContain('more');
  expect(html).toContain('third');
  expect(html).not.toMatch(/second|fourth/);
});

/** Whether each link within the text leads to an element. */
const deadLinks = (html: string): string[] => {
  const ids = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
  const links = [...html.matchAll(/ href="#([^"]+)"/g)].map(([, link = '']) => decodeURIComponent(link));
  return links.filter((link) => !ids.has(link));
};

test.each([
  ['a heading', '[x](#the-part)\n\n## The part', 1],
  ['a heading with marks', '[x](#the-_part_-of-c)\n\n## The `_part_` of **C#**!', 1],
  ['a heading in another script', '[x](#über-москву-東京)\n\n## Über Москву 東京', 1],
  ['headings of the same text', '[x](#part) [y](#part-1)\n\n# Part\n\n# Part', 2],
  ['a heading by another case', '[x](#The-Part)\n\n## The part', 1],
  ['an element', '<h2 id="part">A</h2>\n\n[x](#part)', 1],
  [
    'an element that begins like ours',
    '<a id="user-content-part"></a>\n\n[x](#part) [y](#user-content-part)',
    1,
  ],
  ['an anchor', '<a name="part"></a>\n\n<a href="#part">x</a>', 1],
  ['a footnote', 'a[^1] [x](#fn-1)\n\n[^1]: b', 2],
])('a link within the text leads to %s', (_, text, ids) => {
  for (const html of [render(text), render(text, { scope: 'a1b2' })]) {
    expect(html).toContain('href="#user-content-');
    expect(deadLinks(html)).toEqual([]);
    expect(html.match(/ id="/g)).toHaveLength(ids);
  }
});

test('an id belongs to one element, and begins so that no script takes it for its own', () => {
  const html = render('<p id="a">1</p>\n<p id="a">2</p>\n<p id="location">3</p>\n<p id="b c">4</p>');
  expect([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)).toEqual([
    'user-content-a',
    'user-content-location',
  ]);
});

test('the ids of two articles on one page differ', () => {
  const text = '[x](#part) a[^1]\n\n# Part\n\n[^1]: b';
  const both = render(text, { scope: 'a1b2' }) + render(text, { scope: 'c3d4' });
  const ids = [...both.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  expect(ids).toHaveLength(6);
  expect(new Set(ids).size).toBe(6);
  expect(deadLinks(both)).toEqual([]);
});

test('a link that leads to nothing within the text stays as it is', () => {
  expect(render('[x](#comments)')).toBe('<p><a href="#comments">x</a></p>');
});

const base = 'https://blog.example/posts/one/two';
test.each([
  ['[a](/b)', '<a href="https://blog.example/b">'],
  ['[a](../c?d=e&f)', '<a href="https://blog.example/posts/c?d=e&amp;f">'],
  ['[a](//cdn.example/g)', '<a href="https://cdn.example/g">'],
  ['![a](h i.png)', 'h i.png'],
  ['![a](<h i.png>)', '<img src="https://blog.example/posts/one/h%20i.png" alt="a">'],
  [
    '<video src="j.mp4" poster="k.png"></video>',
    '<video src="https://blog.example/posts/one/j.mp4" poster="https://blog.example/posts/one/k.png" controls>',
  ],
  ['<blockquote cite="?l">m</blockquote>', '<blockquote cite="https://blog.example/posts/one/two?l">'],
  ['[a](#b)\n\n# b', '<a href="https://blog.example/posts/one/two#user-content-b">'],
  ['[a](mailto:b@c.example)', '<a href="mailto:b@c.example">'],
  ['[a](https://n.example/../o)', '<a href="https://n.example/../o">'],
])('where the HTML leaves the blog, the address in %j is absolute', (text, element) => {
  expect(render(text, { base })).toContain(element);
});

test('on a page of its own elsewhere, links within the article stay within it', () => {
  expect(render('[a](#b) [c](/d)\n\n# b', { base, ownPage: true })).toBe(
    '<p><a href="#user-content-b">a</a> <a href="https://blog.example/d">c</a></p>\n<h1 id="user-content-b">b</h1>',
  );
});

test.each([
  '<bdi>x</bdi>',
  '<bdo dir="rtl">x</bdo>',
  '<audio src="/a.mp3" controls><a href="/a.mp3">Download</a></audio>',
  '<video poster="/b.png" width="640" height="360" controls><source src="https://a.example/b.mp4" type="video/mp4"></video>',
])('%s is kept', (html) => {
  expect(render(`a ${html} b`)).toBe(`<p>a ${html} b</p>`);
});

test('a footnote and its reference lead to each other', () => {
  const html = render('a[^1]\n\n[^1]: b');
  const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => `#${id}`);
  const links = [...html.matchAll(/ href="([^"]+)"/g)].map(([, link]) => link);
  expect(links).toHaveLength(2);
  expect(ids).toEqual(expect.arrayContaining(links));
});

test.each([
  ['a script', '<script>alert(1)</script>'],
  ['a script in upper case', '<SCRIPT>alert(1)</SCRIPT>'],
  ['a script that is not closed', 'a\n\n<script>alert(1)'],
  ['an event handler', '<img src="/a.png" onerror="alert(1)">'],
  ['an event handler after a slash', '<img/onerror=alert(1) src=x>'],
  ['a javascript: link', '[a](javascript:alert(1))'],
  ['a javascript: link in HTML', '<a href="JaVaScRiPt:alert(1)">a</a>'],
  ['a javascript: link with a tab', '<a href="java&#9;script:alert(1)">a</a>'],
  ['a javascript: link after a control character', '<a href="&#1;javascript:alert(1)">a</a>'],
  ['a javascript: autolink', '<javascript:alert(1)>'],
  ['a javascript: reference', '[a]\n\n[a]: javascript:alert(1)'],
  ['a vbscript: link', '[a](vbscript:alert(1))'],
  ['a data: link', '[a](data:text/html;base64,PHNjcmlwdD4=)'],
  ['a data: image', '![a](data:image/png;base64,AAAA)'],
  ['a data: citation', '<blockquote cite="data:text/html,a">b</blockquote>'],
  [
    'a form',
    '<form action="/login"><button>a</button><textarea>b</textarea><select><option>c</select></form>',
  ],
  ['a text field', '- <input type="text" name="password">'],
  ['a checkbox that can be ticked', '- <input type="checkbox" name="consent">'],
  ['a frame', '<iframe src="https://example.com"></iframe>'],
  ['a frame with a document', '<iframe srcdoc="<script>alert(1)</script>"></iframe>'],
  ['a style', '<style>body { display: none }</style><p style="color: red">a</p>'],
  ['svg', '<svg onload="alert(1)"><script>alert(1)</script></svg>'],
  ['svg that animates a link', '<svg><a><animate attributeName=href values=javascript:alert(1) /></a></svg>'],
  ['math', '<math><mtext><script>alert(1)</script></mtext></math>'],
  [
    'math that changes how the rest is parsed',
    '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>',
  ],
  ['an object', '<object data="a.swf"><embed src="a.swf"></object>'],
  [
    'elements of the head',
    '<link rel="stylesheet" href="//a"><meta http-equiv="refresh" content="0"><base href="//a">',
  ],
  ['a noscript that hides a tag', '<noscript><p title="</noscript><img src=x onerror=alert(1)>">'],
  ['a template', '<template><script>alert(1)</script></template>'],
  ['a comment that ends early', '<!--><img src=x onerror=alert(1)>-->'],
  ['a class and a name', '<p class="admin" name="cookie">a</p>'],
  ['a player that plays by itself', '<video src="/a.mp4" autoplay onplay="alert(1)"></video>'],
  ['a data: sound', '<audio src="data:audio/mp3;base64,AAAA"><source src="data:a"></audio>'],
  ['a javascript: poster', '<video poster="javascript:alert(1)"></video>'],
])('%s is removed', (_, text) => {
  const html = render(text);
  expect(html).not.toMatch(
    /<(script|style|form|button|input|select|textarea|iframe|svg|math|object|embed|link|meta|base|noscript|template|animate)\b/i,
  );
  // A value in quotes may contain anything.
  expect(html.replaceAll(/"[^"]*"/g, '""')).not.toMatch(
    /<[^>]*\s(on\w+|style|srcdoc|name|class|id|action|autoplay)\b/i,
  );
  expect(html).not.toMatch(/<[^>]*=\s*"[^"]*(javascript|vbscript|data):/i);
});

test('what was removed with its content leaves no text', () => {
  expect(render('a <script>alert(1)</script> b')).toBe('<p>a  b</p>');
});

test('a tag in a sentence that is not closed is shown, and does not take the rest of the article', () => {
  expect(render('The <title> and <SCRIPT> tags.\n\nMore.')).toBe(
    '<p>The &lt;title> and &lt;SCRIPT> tags.</p>\n<p>More.</p>',
  );
});

test.each([
  ['# A\n\n<title>\n\nafter', '<h1>A</h1>\n&lt;title>\n<p>after</p>'],
  ['<style>\nx\n\nafter', '&lt;style>\nx\n\nafter'],
  ['<iframe src="https://a.b">\n\nafter', '&lt;iframe src="https://a.b">\n<p>after</p>'],
  ['a\n\n<noframes>\n\nb', '<p>a</p>\n&lt;noframes>\n<p>b</p>'],
  ['Use <select> or <object>\n\nafter', '<p>Use &lt;select> or &lt;object></p>\n<p>after</p>'],
  ['The <option> and <video> tags', '<p>The &lt;option> and &lt;video> tags</p>'],
  ['a <plaintext> b </plaintext> c', '<p>a &lt;plaintext> b  c</p>'],
  ['<script>one\n\ntwo</script>\n\nafter', '<p>after</p>'],
  ['<svg>\n\n<title>a</title>\n\n</svg>\n\n<svg> b', '<p>&lt;svg> b</p>'],
])('%j loses nothing by a tag that is not closed', (text, html) => {
  expect(render(text).trim()).toBe(html);
});

test.each(['>', '- ', '1. '])(
  'a text that is nested in too many %j is refused, and loses nothing otherwise',
  (mark) => {
    expect(render(`${mark.repeat(20)}deep`)).toContain('deep');
    expect(renderMarkdown(`${mark.repeat(200)}deep`)).toEqual({ refused: 'is nested too deeply' });
    for (let depth = 20; depth < 120; depth += 1) {
      const rendering = renderMarkdown(`${mark.repeat(depth)}deep`);
      if ('html' in rendering) expect(rendering.html).toContain('deep');
    }
  },
);

test('the same text gives the same HTML', () => {
  const text = '# a\n\nb[^1] ~~c~~ <b>d</b>\n\n[^1]: e\n\n| f |\n| - |\n| g |';
  expect(new Set([1, 2, 3].map(() => render(text))).size).toBe(1);
});

test('rendered HTML is sanitised HTML: sanitising it again changes nothing', () => {
  const html = render('# a\n\n- [x] b\n- <a href="javascript:alert(1)">c</a>\n\n<div title="<b>">d</div>');
  expect(render(html)).toBe(html);
});

test('a text whose HTML is many times as long is refused', () => {
  const link = `[a]: /${'b'.repeat(50_000)}`;
  expect(renderMarkdown(`${'[a] '.repeat(1_000)}\n\n${link}`)).toMatchObject({
    refused: expect.stringContaining('4000000 characters'),
  });
});
