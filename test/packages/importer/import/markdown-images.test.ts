import { findImages, replaceImages } from '../../../../packages/importer/import/markdown-images.ts';

const A = 'http://old.example/a.png';
const B = 'http://old.example/b.png';
const NEW = 'https://new.example/1.png';

const urls = (text: string): string[] => findImages(text).map(({ url }) => url);
const moved = (text: string, url = NEW): string => replaceImages(text, findImages(text), () => url);

describe('an image', () => {
  test.each([
    ['inline', `a ![alt](${A}) b`],
    ['with a title', `![alt](${A} "Title")`],
    ['between angle brackets', `![alt](<${A}> 'Title')`],
    ['by reference', `![alt][x]\n\n[x]: ${A} "Title"`],
    ['by reference, in brackets and other letters', `![X][]\n\n[x]: <${A}>`],
    ['by its own label', `![x]\n\n[x]: ${A}`],
    ['in a link', `[![alt](${A})](http://elsewhere.example/a.png)`],
    ['in a heading', `# ![alt](${A})`],
    ['in emphasis', `**_![alt](${A})_**`],
    ['in a table', `| a |\n|---|\n| ![alt](${A}) |`],
    ['in a list in a quote', `> - text\n>\n>   ![alt](${A})`],
    ['behind a byte order mark', `\uFEFF![alt](${A})`],
    ['behind signs of two units', `👍🏽 ![alt](${A}) 👍🏽`],
    ['in lines that end with CRLF', `text\r\n![alt](${A})\r\nmore`],
    ['as HTML in double quotes', `<p><img alt="x > y" src="${A}"></p>`],
    ['as HTML in single quotes', `a <img src='${A}' alt=''> b`],
    ['as HTML without quotes', `a <img src=${A}> b`],
    ['as HTML without quotes, beside one with', `a <img alt="x" src=${A}> b`],
    ['as HTML in capitals, closed', `<IMG WIDTH=1 SRC = "${A}" />`],
    ['as HTML over lines of a quote', `> <div>\n> <img\n>   src="${A}">\n> </div>`],
    ['in a footnote', `text[^1]\n\n[^1]: ![alt](${A})`],
    ['behind the line of a footnote', `text[^1]\n\n[^1]:\n\n    ![alt](${A})`],
    ['further down in a footnote', `text[^1]\r\n\r\n[^1]: words\r\n  \r\n\t![alt](${A})`],
    ['in a footnote of a quote', `> text[^1]\n>\n> [^1]: - ![alt](${A})`],
    ['in a footnote, by reference', `text[^1]\n\n[^1]: ![x]\n\n    [x]: ${A}`],
    ['as HTML in a footnote', `text[^1]\n\n[^1]: <img src="${A}">`],
    ['as HTML over lines of a footnote', `text[^1]\n\n[^1]: <div>\n    <img\n      src="${A}">\n    </div>`],
    ['as HTML in a picture', `<picture><source srcset="${B}"><img data-src="${B}" src="${A}"></picture>`],
  ])('%s is found, and only its URL is changed', (_, text) => {
    expect(urls(text)).toEqual([A]);
    expect(moved(text)).toBe(text.replace(A, NEW));
  });

  test.each([
    ['in a fence', `\`\`\`\n![alt](${A})\n<img src="${A}">\n\`\`\``],
    ['in a fence of tildes', `~~~html\n<img src="${A}">\n~~~`],
    ['in an open fence', `\`\`\`\n![alt](${A})`],
    ['in indented code', `text\n\n    ![alt](${A})\n\n\t<img src="${A}">`],
    ['in indented code of a list', `- text\n\n      ![alt](${A})`],
    ['in a code span', `a \`![alt](${A})\` and \`\`<img src="${A}">\`\``],
    ['in indented code of a footnote', `text[^1]\n\n[^1]: words\n\n        ![alt](${A})`],
    ['in indented code at the beginning of a footnote', `text[^1]\n\n[^1]:        ![alt](${A})`],
    ['in a fence of a footnote', `text[^1]\n\n[^1]: \`\`\`\n    ![alt](${A})`],
    ['in a fence that looks like a footnote', `\`\`\`\n[^1]: ![alt](${A})\n\`\`\``],
    ['that refers to a footnote', `![^1]\n\n[^1]: ${A}`],
    ['in <pre>', `<pre>\n<img src="${A}">\n</pre>`],
    ['in <code>', `a <code><img src="${A}"></code> and <code>![alt](${A})</code>`],
    ['in a script', `<script>var a = '<img src="${A}">';</script>`],
    ['in a comment', `<!-- <img src="${A}">\n\n![alt](${A}) -->`],
    ['escaped', `\\![alt](${A})`],
    ['as HTML without quotes in a text, with an equals sign in the URL', `a <img src=${A}?b=1> b`],
    ['as HTML that is escaped', `\\<img src=${A}> \\<img src="${A}">`],
    ['that is a link', `[alt](${A}) and <${A}>`],
    ['that only links define', `[alt][x]\n\n[x]: ${A}`],
    ['that is nowhere shown', `text\n\n[x]: ${A}`],
    ['with another attribute only', `<img data-src="${A}">`],
    ['without an address', `![alt]() <img src=""> <img src>`],
  ])('%s is none', (_, text) => {
    expect(urls(text)).toEqual([]);
    expect(moved(text)).toBe(text);
  });

  test('after code is found', () => {
    const text = `<pre><img src="${A}"></pre>\n\n<code>x</code> ![alt](${B})\n\n\`![alt](${A})\` <img src="${B}">`;
    expect(urls(text)).toEqual([B, B]);
  });

  test.each([
    [`![alt](http://old.example/a&amp;b.png)`, 'http://old.example/a&b.png'],
    [`![alt](http://old.example/a_\\(1\\).png)`, 'http://old.example/a_(1).png'],
    [`![alt](<http://old.example/a b.png>)`, 'http://old.example/a b.png'],
    [`<img src="http://old.example/?a=1&amp;b=&#50;&quot;">`, 'http://old.example/?a=1&b=2"'],
    [`<img src=" ${A} ">`, A],
  ])('%j has its URL unescaped', (text, url) => expect(urls(text)).toEqual([url]));

  test('without a copy in the library stays unchanged', () => {
    const text = `![a](${A}) ![b](<${B}>) <img src='${A}'>`;
    const result = replaceImages(text, findImages(text), (url) => (url === B ? NEW : undefined));
    expect(result).toBe(`![a](${A}) ![b](<${NEW}>) <img src='${A}'>`);
  });
});

test.each([
  `![a](${A}?b=1&c=2)`,
  `![a](${A}?b=1&amp;c=2)`,
  `<img src="${A}?b=1&c=2">`,
  `<img src='${A}?b=1&amp;c=2'>`,
  `<div>\n<img src=${A}?b=1&c=2>\n</div>`,
])('a query that stays the same is in %j as it was written', (text) => {
  expect(urls(text)).toEqual([`${A}?b=1&c=2`]);
  expect(moved(text, `${NEW}?b=1&c=2`)).toBe(text.replace(A, NEW));
});

test.each([
  `![a](${A})`,
  `![a](<${A}>)`,
  `[x]: ${A}\n\n![x]`,
  `<img src="${A}">`,
  `<img src='${A}'>`,
  `<img src=${A}>`,
])('any URL written into %j is read from it again', (text) => {
  for (const url of [NEW, 'https://new.example/(1).png', `https://new.example/?a="b"&c='d'&amp;=1`]) {
    expect(urls(moved(text, url))).toEqual([url]);
  }
});
