import fc from 'fast-check';
import { same } from './same-text.ts';

const words = fc.constantFrom(
  'a',
  'Wort',
  '漢字',
  'слово',
  '1.',
  '1)',
  '#',
  '+',
  '-',
  '*',
  '_',
  '~',
  '|',
  '`',
  '\\',
  '[',
  ']',
  '(',
  ')',
  '!',
  '>',
  '&lt;b>',
  '&lt;!--',
  '&amp;lt;',
  '&amp;',
  '“',
  '。',
  '://',
  'http://x.example/a_b',
  'x@y.example',
  ':',
  '=',
  '<br>',
  ' ',
);
const text = fc.array(words, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''));
const { inline } = fc.letrec<{ inline: string }>((tie) => ({
  inline: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.array(tie('inline'), { minLength: 1, maxLength: 3 }).map((parts) => parts.join('')),
    fc
      .tuple(fc.constantFrom('b', 'em', 'i', 'strong', 's', 'code', 'sub', 'q', 'span', 'u'), tie('inline'))
      .map(([name, content]) => `<${name}>${content}</${name}>`),
    tie('inline').map((content) => `<a href="https://x.example/">${content}</a>`),
  ),
}));
const { block } = fc.letrec<{ block: string }>((tie) => ({
  block: fc.oneof(
    { maxDepth: 3 },
    inline.map((content) => `<p>${content}</p>`),
    fc
      .tuple(fc.constantFrom('h2', 'h3', 'blockquote', 'div', 'pre'), inline)
      .map(([name, content]) => `<${name}>${content}</${name}>`),
    fc
      .tuple(fc.constantFrom('ul', 'ol'), fc.array(tie('block'), { minLength: 1, maxLength: 3 }))
      .map(([name, items]) => `<${name}>${items.map((item) => `<li>${item}</li>`).join('')}</${name}>`),
    fc
      .tuple(fc.constantFrom('b', 'em', 'blockquote', 'section'), tie('block'))
      .map(([name, content]) => `<${name}>${content}</${name}>`),
    fc
      .array(fc.array(inline, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 })
      .map(
        (rows) =>
          `<table>${rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('')}</table>`,
      ),
    inline,
  ),
}));

test('no HTML of such parts loses or gains a character', () => {
  fc.assert(
    fc.property(fc.array(block, { minLength: 1, maxLength: 5 }), (blocks) => {
      same(blocks.join('\n'));
    }),
    { numRuns: 300 },
  );
});
