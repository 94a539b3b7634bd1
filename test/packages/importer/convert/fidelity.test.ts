import { converted, same } from './same-text.ts';

describe('escaped HTML stays text', () => {
  const inText = [
    '<!-- note --> is a comment.',
    '<?php echo 1; ?> runs',
    '<![CDATA[x]]> is data',
    '<!DOCTYPE html> comes first',
    ...'a b br div em h1 hr iframe img input li ol p pre script section span style table textarea title ul video'
      .split(' ')
      .flatMap((name) => [`<${name}> begins it`, `</${name}> ends it`, `<${name} id="x" open> has more`]),
    'List<String> and Map<String, List<T>>',
    'Set <your-name> here and <password> there.',
    '<T extends Foo>, <vector>, <Ctrl>+<C>, <note><to>',
    '&nbsp; &lt; &amp;copy; &#39; &copy;',
    'a < b && c > d, x <= y, <- and ->',
    'mail <me@example.com> or <https://example.com/a_b>',
  ];
  const all = (text: string): string =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const opening = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

  test.each(inText)('%s', (text) => {
    for (const escaped of [all(text), opening(text)]) {
      for (const html of [
        `<p>${escaped}</p><p>The rest.</p>`,
        `<p>Set ${escaped}</p><p>The rest.</p>`,
        `<p>One<br>${escaped}</p><ul><li>${escaped}</li></ul><h2>${escaped}</h2><p>The rest.</p>`,
        `<table><tr><th>${escaped}</th></tr><tr><td>${escaped}</td></tr></table><p>The rest.</p>`,
        `<p><b>${escaped}</b> and <code>${escaped}</code></p><pre>${escaped}</pre><p>The rest.</p>`,
      ])
        same(html);
    }
  });
});

describe('typed signs stay signs', () => {
  const signs = [
    '1)',
    '1.',
    '01.',
    '2021.',
    '1984) was',
    '+',
    '+ a',
    '-',
    '- a',
    '*',
    '* a',
    '#',
    '###',
    '# a',
    '>',
    '> a',
    '=',
    '===',
    '---',
    '***',
    '___',
    '~~~',
    '```',
    '[x]: /y',
    '[^1]',
    '[^1]: a',
    '![a](b)',
    '[a](b)',
    '|',
    '| a |',
    '5~10 and 20~30',
    'a ~b~ c',
    '~~x~~',
    'snake_case_name',
    '_x_',
    '__x__',
    '*x*',
    '**x**',
    '`x`',
    '$x_1$',
    'C:\\temp\\',
    '\\*',
    'a\\',
    'a: b',
    ': b',
    'C #',
    'Room ##',
    '## Room ##',
    '1\\. a',
    '(1) a',
    'a)',
    '№ 1.',
    'http://',
    'www.',
    'https://h.example/y_z',
    'www.old.example/a_b',
    '[tweet https://x.example/1]',
    ':smile:',
    'a | b',
    '- - -',
    '* * *',
    '    indented',
    '^a^',
    '==a==',
    '!',
    '![',
    '](',
    '[',
    ']',
    '<',
    '>',
    '&',
    '"',
    "'",
  ];
  const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

  test.each(signs)('%s', (text) => {
    const sign = escaped(text);
    for (const html of [
      `<p>${sign}</p>`,
      `<p>a</p><p>${sign}</p><p>b</p>`,
      `<p>a<br>${sign}<br>b</p>`,
      `<ul><li>${sign}</li><li>${sign}<ul><li>${sign}</li></ul></li></ul>`,
      `<h2>${sign}</h2><h3>a ${sign}</h3>`,
      `<blockquote><p>${sign}</p></blockquote>`,
      `<table><tr><td>${sign}</td><td>a</td></tr></table>`,
      `<p><b>${sign}</b>a <i>${sign}</i> <a href="https://x.example">${sign}</a>${sign}</p>`,
      `<p>a ${sign}<code>b</code> ${sign}<b>c</b></p>`,
    ])
      same(html);
  });

  test.each([
    ['three lines with bars', '<p>a | b<br>- | -<br>c | d</p>'],
    ['a line of signs below a line', '<p>Title<br>=====<br>more<br>-----</p>'],
    ['entities at every level', '<p>&amp;amp;nbsp; &amp;amp;lt; &amp;copy; &amp;#65;</p>'],
  ])('%s', (_, html) => {
    same(html);
    expect(converted(html).html).not.toMatch(/<(?:table|h[1-6])/);
  });
});

describe('bold, italic and struck text shows no marks', () => {
  const inner = [
    'a',
    'a b',
    'Note:',
    '「这里」',
    '(aside)',
    '"q"',
    '.',
    '5%',
    '$5',
    '«слово»',
    'Wait…',
    '—dash—',
    'a*b',
    'a_b',
    '~',
  ];
  const around = [
    ['', ''],
    ['x', 'y'],
    ['点击', '完成'],
    [' ', ' '],
    ['(', ')'],
    ['*', '_'],
  ] as const;

  test.each(['b', 'strong', 'em', 'i', 's', 'del'])('%s', (name) => {
    for (const text of inner)
      for (const [before, after] of around) {
        same(`<p>${before}<${name}>${text}</${name}>${after}</p>`);
        same(`<p>${before}<${name}>${text}<br></${name}>${after}</p>`);
        same(`<p>${before}<${name}> ${text} </${name}>${after}<${name}>${text}</${name}></p>`);
        same(`<p>${before}<${name}><a href="/x">${text}</a></${name}>${after}</p>`);
        same(`<p>${before}<${name}><code>${text}</code></${name}>${after}</p>`);
        same(`<p>${before}<em><${name}>${text}</${name}>!</em>${after}</p>`);
      }
  });

  test.each([
    '<strong><p>a</p><p>b</p></strong>',
    '<em>a<br><br>b</em>c',
    '<p><b>a</b><b>b</b><i>c</i><em>d</em></p>',
    '<b>a<ul><li>b</li><li>c</li></ul>d</b>',
    '<a href="/x"><h2>a</h2><p>b</p></a>',
    '<p><code>a</code><code>b</code><code>``</code> <code> c </code><code></code></p>',
  ])('%s', (html) => same(html));
});

describe('lists', () => {
  test.each([
    [
      'stay apart',
      '<ol><li>a</ol><ol><li>b</ol><ul><li>c</ul><ul><li>d</ul>',
      /(?:<\/ol>\s*<ol>[^]*){1}<\/ul>\s*<ul>/,
    ],
    [
      'a list directly in a list is below the item before',
      '<ol><li>a</li><ol><li>sub</li></ol></ol>',
      /<li>a\s*<ol>/,
    ],
    ['an item with its own number', '<ol><li>a<li value="7">b<li>c</ol>', /start="7"/],
    ['boxes', '<ul><li><input type="checkbox" checked>a<li><input type="checkbox">b</ul>', /checked/],
    ['text directly in a list', '<ul>loose<li>a</ul>', /<li>loose<\/li>/],
  ])('%s', (_, html, structure) => {
    same(html);
    expect(converted(html).html).toMatch(structure);
  });
});

test.each([
  '<p>a <q>b</q> <abbr title="c">d</abbr> <small>e</small> <ruby>漢<rt>kan</rt></ruby> <bdi>f</bdi></p>',
  '<p dir="rtl">שלום</p><p><span lang="fr">bonjour</span></p>',
])('what the renderer keeps is kept: %s', (html) => {
  same(html);
  for (const [tag] of html.matchAll(/<(?:q|abbr|small|ruby|rt|span)[^>]*>/g))
    expect(converted(html).html).toContain(tag);
});

test('text that shows its tags shows them', () => {
  expect(converted('<xmp><b>a</b></xmp>').markdown).toBe('```\n<b>a</b>\n```');
});

describe('footnotes', () => {
  test.each([
    [
      'of WordPress',
      '<p>Rain<sup data-fn="u1" class="fn"><a href="#u1" id="u1-link">1</a></sup>.</p><ol class="wp-block-footnotes"><li id="u1">A <em>note</em>. <a href="#u1-link">↩︎</a></li></ol>',
    ],
    [
      'of Markdown in Ghost',
      '<p>Rain<sup id="fnref1"><a href="#fn1" rel="footnote">1</a></sup>.</p><div class="footnotes"><hr><ol><li id="fn1"><p>A <em>note</em>. <a href="#fnref1">↩</a></p></li></ol></div>',
    ],
    [
      'of a word processor',
      '<p>Rain<a href="#_ftn1" name="_ftnref1">[1]</a>.</p><p><a href="#_ftnref1" name="_ftn1">[1]</a> A <em>note</em>.</p>',
    ],
  ])('%s', (_, html) => {
    const { markdown } = converted(html);
    expect(
      markdown
        .replace('---', '')
        .replaceAll(/\n{2,}/g, '\n\n')
        .trim(),
    ).toBe('Rain[^1].\n\n[^1]: A *note*.');
  });

  test('a note keeps what it says of others, and its back links go', () => {
    const { markdown } = converted(
      '<p>A <sup><a id="r1" href="#n1">1</a></sup> b <a id="r2" href="#n2">2</a> c <a href="#n2">2</a>.</p><ol><li id="n1">See note <a href="#n2">2</a> and <a href="#s">5</a>. <a href="#r1">↑</a></li><li id="n2">Two. <a href="#r2">Back</a></li></ol><h2 id="s">S</h2>',
    );
    expect(markdown).toBe(
      'A [^1] b [^2] c [^2].\n\n## <a id="s"></a>S\n\n[^1]: See note [^2] and [5](#s).\n\n[^2]: Two. Back',
    );
  });

  test('a paragraph to which the number of a note leads is no note', () => {
    const { markdown } = converted(
      '<p id="b1">Text <a href="#f1">1</a></p><dl><dt id="f1"><a href="#b1">1</a></dt><dd>Note</dd></dl>',
    );
    expect(markdown).toMatch(/^<a id="b1"><\/a>Text \[1\]\(#f1\)/);
    expect(markdown).not.toContain('[^');
  });

  test('a link within the page still has its target', () => {
    const { markdown } = converted(
      '<p><a href="#part">Go</a></p><h2 id="part">Part</h2><h2 id="other">Other</h2>',
    );
    expect(markdown).toBe('[Go](#part)\n\n## <a id="part"></a>Part\n\n## Other');
  });
});
