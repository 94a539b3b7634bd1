import { differenceOf, wordsOf } from '../../../../packages/importer/convert/words.ts';

test('words are what a browser shows, apart where it shows them apart', () => {
  const html =
    '<h1>One<br>two</h1><p>th<b>re</b>e</p><script>four</script><style>five</style><table><tr><td>6<td>7</table><!-- 8 -->x&amp;y soft&shy;ly';
  expect(wordsOf(html)).toEqual(['One', 'two', 'three', '6', '7', 'x', '&', 'y', 'softly']);
});

test('an element that no browser knows stands within its line', () => {
  expect(wordsOf('<p><st1:city>Lon</st1:city>don 0<f<20), rest <h3>H</h3></p>')).toEqual(['London', '0H']);
});

test('the marks that a renderer makes for footnotes are no words', () => {
  const html = 'a<sup><a href="#n" data-footnote-ref>1</a></sup> b <a href="#m" data-footnote-backref>↩</a>';
  expect(wordsOf(html)).toEqual(['a', 'b']);
});

test.each([
  ['nothing', 'a b c', 'c a b', null],
  ['a word', 'a b c d', 'a b d', 'its text is not the same as before: "c" after "a b" is lost'],
  ['the second of two', 'a b a', 'a b', 'its text is not the same as before: "a" after "a b" is lost'],
  ['a mark', 'a b', '*a b', 'its text is not the same as before: "*" at its beginning is new'],
  [
    'many words',
    'a b c d e f g h i j',
    '',
    'its text is not the same as before: "a b c d e f g h" and 2 more at its beginning is lost',
  ],
])('%s is the difference', (_, before, after, message) => {
  expect(differenceOf(wordsOf(before), wordsOf(after))).toBe(message);
});
