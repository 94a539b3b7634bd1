import { renderMarkdown } from '../../../adapters/markdown/render.ts';

const render = (text: string): string => {
  const rendering = renderMarkdown(text);
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
  ['a class and a name', '<p class="admin" name="cookie" id="location">a</p>'],
])('%s is removed', (_, text) => {
  const html = render(text);
  expect(html).not.toMatch(
    /<(script|style|form|button|input|select|textarea|iframe|svg|math|object|embed|link|meta|base|noscript|template|animate)\b/i,
  );
  // A value in quotes may contain anything.
  expect(html.replaceAll(/"[^"]*"/g, '""')).not.toMatch(
    /<[^>]*\s(on\w+|style|srcdoc|name|class|id|action)\s*=/i,
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
