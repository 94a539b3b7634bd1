import { toMarkdown } from '../../../../packages/importer/convert/markdown.ts';

const notes: string[] = [];
const differences: string[] = [];
const write = (html: string, base: string | null = 'https://blog.example.com/a/post/'): string =>
  toMarkdown(html, {
    base,
    note: (message) => notes.push(message),
    differs: (message) => differences.push(message),
  });

beforeEach(() => {
  notes.splice(0);
  differences.splice(0);
});

test.each([
  ['emphasis inside of a word', '<p>un<em>frigging</em>believable</p>', 'un*frigging*believable'],
  [
    'text that is Markdown syntax',
    '<p>*a* _b_ [c] `d` 1. e</p><p># f</p><p>1. g</p>',
    '\\*a\\* \\_b\\_ \\[c] \\`d\\` 1. e\n\n\\# f\n\n1\\. g',
  ],
  ['a heading with a line break', '<h2>A<br>b</h2>', '## A b'],
  ['struck text', '<p><s>old</s> <del>older</del></p>', '~~old~~ ~~older~~'],
  [
    'small elements without a Markdown form',
    '<p>H<sub>2</sub>O <kbd>Ctrl</kbd></p>',
    'H<sub>2</sub>O <kbd>Ctrl</kbd>',
  ],
  [
    'nested lists',
    '<ul><li>a<ol start="3"><li>b</li><li>c</li></ol></li><li>d</li></ul>',
    '- a\n\n  3. b\n  4. c\n\n- d',
  ],
  [
    'an address as its own link',
    '<p><a href="https://x.example/a_b">https://x.example/a_b</a></p>',
    '<https://x.example/a_b>',
  ],
  ['an address alone in a paragraph', '<p>https://youtu.be/a_b</p>', '<https://youtu.be/a_b>'],
  ['a link without a text', '<p>a<a href="https://x.example"></a>b</p>', 'ab'],
  [
    'parentheses and spaces in an address',
    '<img src="/a b(1).png" alt="x">',
    '![x](https://blog.example.com/a%20b\\(1\\).png)',
  ],
  [
    'brackets and line breaks in an alternative text',
    '<img src="https://x.example/a.png" alt="a]\n\n[b">',
    '![a\\] \\[b](https://x.example/a.png)',
  ],
  [
    'an image that a script would load',
    '<img src="data:image/gif;base64,R0" data-src="/a.png">',
    '![](https://blog.example.com/a.png)',
  ],
  [
    'an image with a caption',
    '<figure><img src="https://x.example/a.png" alt="A"><figcaption>Below it</figcaption></figure>',
    '![A](https://x.example/a.png)\n\n*Below it*',
  ],
  [
    'details',
    '<details><summary>S</summary><p>In <b>it</b></p></details>',
    '<details>\n\n<summary>S</summary>\n\nIn **it**\n\n</details>',
  ],
  ['a definition list', '<dl><dt>Term</dt><dd>Meaning</dd></dl>', '**Term**\n\nMeaning'],
])('%s', (_, html, markdown) => {
  expect(write(html)).toBe(markdown);
  expect(notes).toEqual([]);
});

describe('code', () => {
  test.each([
    ['<pre><code class="language-ts hljs">a\n\n  b</code></pre>', 'ts'],
    ['<pre class="brush: php; title: ; notranslate">a\n\n  b</pre>', 'php'],
    ['<pre class="EnlighterJSRAW" data-enlighter-language="rust">a\n\n  b</pre>', 'rust'],
    ['<pre lang="C++">a<br>\n  b</pre>', 'c++'],
    ['<pre>a\n\n  b</pre>', ''],
  ])('%s keeps its lines and language', (html, language) => {
    expect(write(html)).toBe(`\`\`\`${language}\na\n\n  b\n\`\`\``);
  });

  test('a fence is longer than any in the code', () => {
    expect(write('<pre><code>```\nx\n````</code></pre>')).toBe('`````\n```\nx\n````\n`````');
  });
});

describe('tables', () => {
  test('columns, alignment, bars and line breaks', () => {
    const html =
      '<table><thead><tr><th>A|B</th><th style="text-align: right">N</th></tr></thead><tbody><tr><td>x<br>y</td><td>1</td></tr><tr><td>z</td></tr></tbody></table>';
    expect(write(html)).toBe('| A\\|B | N |\n| - | -: |\n| x<br>y | 1 |\n| z | |');
  });

  test('one without a header gets an empty one, and its caption is put above it', () => {
    const html = '<table><caption>Sizes</caption><tr><td>1</td><td>2</td></tr></table>';
    expect(write(html)).toBe('*Sizes*\n\n| | |\n| - | - |\n| 1 | 2 |');
  });

  test.each([
    [
      'joined cells',
      '<table><tr><td colspan="2">a\n\nb</td></tr></table>',
      '<table><tbody><tr><td colspan="2">a b</td></tr></tbody></table>',
    ],
    [
      'blocks in a cell',
      '<table><tr><td><ul><li>a</li></ul></td></tr></table>',
      '<table><tbody><tr><td><ul><li>a</li></ul></td></tr></tbody></table>',
    ],
    [
      'code in a cell',
      '<table><tr><td><pre>a\n\nb</pre></td></tr></table>',
      '<table><tbody><tr><td><pre><code>a&#10;&#10;b</code></pre></td></tr></tbody></table>',
    ],
  ])('%s stay HTML, without an empty line that would end the block', (_, html, markdown) => {
    expect(write(html)).toBe(markdown);
  });
});

describe('embeds and code that runs', () => {
  test('an embed stays HTML, with absolute URLs and without handlers', () => {
    const html = '<p><iframe src="//p.example/e" onload="x()" srcdoc="<b>" width="5"></iframe></p>';
    expect(write(html)).toBe('<iframe src="https://p.example/e" width="5"></iframe>');
  });

  test('scripts and forms are left out and reported', () => {
    expect(
      write('<p>a</p><script src="https://s.example/x.js"></script><script>y()</script><form>z</form>'),
    ).toBe('a');
    expect(notes).toEqual(['its scripts are left out (s.example, inline)', 'its forms are left out']);
  });

  test.each([
    [
      '<iframe src="/e"></iframe><object data="/o"></object><embed src="/f">',
      'readers do not see them: /e, /o, /f',
    ],
    ['<svg><text>Axis of time</text></svg>', 'its drawings are left out, with their texts: Axis of time'],
    ['<p hidden>a</p><div style="color:red;DISPLAY : none">b</div>', 'its hidden text becomes visible: a, b'],
    ['Name <input value="Ann">', 'its forms are left out'],
    [
      '<math><mfrac><mi>a</mi><mrow><mi>b</mi><mo>+</mo><mn>1</mn></mrow></mfrac><msup><mi>x</mi><mn>2</mn></msup></math>',
      'a formula becomes text: a/(b+1)x^2',
    ],
    ['<script src="/own.js"></script>', 'its scripts are left out (of the blog)'],
  ])('%s is reported', (html, message) => {
    write(html, null);
    expect(notes.join('\n')).toContain(message);
  });

  test.each([
    'javascript:alert(1)',
    ' java\nscript:alert(1)',
    'JAVASCRIPT:x',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
  ])('a link to %j is text', (address) => {
    const html = `<a href="${address}">text</a>`;
    expect(write(html)).toBe('text');
    expect(write(html, null)).toBe('text');
  });

  test('without a base a URL stays unchanged', () => {
    expect(write('<a href="/x">a</a> <a href="#y">b</a> <a href="mailto:a@b.example">c</a>', null)).toBe(
      '[a](/x) [b](#y) [c](mailto:a@b.example)',
    );
  });
});

describe('hostile documents', () => {
  test('endlessly nested elements are refused', () => {
    expect(() => write('<div>'.repeat(50_000))).toThrow('nested more than 200 levels deep');
    expect(() => write('<b>'.repeat(50_000))).toThrow('nested more than 200 levels deep');
  });

  test.each([
    ['brackets', '<'.repeat(300_000)],
    ['attributes', `<a ${'x=1 '.repeat(100_000)}>text</a>`],
    ['white space', `<p title="x">${' '.repeat(500_000)}x${'\t'.repeat(500_000)}</p>`],
    [
      'white space in what is kept',
      `<iframe title="${' '.repeat(500_000)}x" src="https://x.example"></iframe>`,
    ],
    ['backticks', `<pre>${'`'.repeat(300_000)}</pre>`],
    ['runs of backticks', `<pre>${'` '.repeat(300_000)}</pre>`],
    ['white space in code', `<pre>x${' '.repeat(300_000)}x${'\n'.repeat(300_000)}x</pre>`],
    ['blanks that do not break', `<p>x${'&nbsp;'.repeat(100_000)}x</p>`],
    ['comments that do not end', '<!-- '.repeat(100_000)],
    ['entities', '&amp;&#8217;&nope;'.repeat(50_000)],
    [
      'footnotes in one paragraph',
      `<p>${Array.from({ length: 5_000 }, (_each, index) => `<a href="#n" id="r${index}">1</a> `).join('')}</p><p id="n">${Array.from({ length: 5_000 }, (_each, index) => `<a href="#r${index}">↑</a>`).join('')}</p>`,
    ],
    ['numbered items', `<ol>${'<li>a</li>'.repeat(50_000)}</ol>`],
    ['elements', '<p>a <b>b</b></p>'.repeat(30_000)],
  ])('many %s are read', (_, html) => {
    expect(typeof write(html)).toBe('string');
  });
});
