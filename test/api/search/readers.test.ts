import { buildArticle, buildTenant } from '../../support/builders.ts';
import { useApi } from '../../support/api.ts';
import { buildFillers, foundTitles, indexAll } from '../../support/search.ts';

const api = await useApi({}, { ownDatabase: 'the articles of all Sites are indexed' });

/** Markdown, what it is found by as readers see it, and what it is not found by. */
const texts: readonly (readonly [content: string, found: readonly string[], missed: readonly string[]])[] = [
  ['**bold**ness', ['boldness'], []],
  ['un*believ*able', ['unbelievable'], []],
  ['H<sub>2</sub>O', ['H2O'], []],
  ['caf&eacute; na&#239;vet&#xe9;', ['café', 'naiveté'], ['eacute']],
  ['~~cold~~ness and `const`ant', ['coldness', 'constant'], []],
  ['[link](https://host.example/target "tooltip")ed', ['linked'], ['target', 'tooltip', 'host.example']],
  ['[refer][label]\n\n[label]: /destination', ['refer'], ['destination']],
  ['<div class="zzclass" title="zztitle">shown</div>', ['shown'], ['zzclass', 'zztitle', 'div']],
  ['<!-- hidden --> seen <script>alerted()</script>', ['seen'], ['hidden', 'alerted']],
  ['```language\n<p class="incode">\n```', ['incode'], ['language']],
  ['![described](/file.png)', ['described'], ['file.png']],
  ['first<br>second\nthird', ['first second third'], ['firstsecond']],
  ['noted[^mark]\n\n[^mark]: the footnote', ['noted', 'footnote'], ['mark', 'noted1']],
  ['| left | right |\n| - | - |\n| one | two |', ['"left right"', '"one two"'], ['leftright']],
  ['snake_case and 5*3', ['snake_case', '"5 3"'], []],
  ['written in C++, not in Carbon', ['C++', 'c++ carbon'], ['C#']],
  ['written in C# and F#', ['C#', 'F#'], ['C++']],
  ['plain C alone', ['"C"'], ['C++', 'C#']],
  ['issue#5', ['issue', '5'], ['issue#']],
];

test('searches see what readers see, whether it is indexed or not', async () => {
  const { secretKey: key, siteId } = await buildTenant(api.db);
  for (const [index, [content]] of texts.entries())
    await buildArticle(api, key, { title: `No${'x'.repeat(index)}`, content });
  await buildFillers(api, siteId);
  for (const _ of ['at once', 'indexed']) {
    for (const [index, [content, found, missed]] of texts.entries()) {
      const title = `No${'x'.repeat(index)}`;
      for (const q of found)
        expect([content, q, await foundTitles(api, key, q)]).toEqual([
          content,
          q,
          expect.arrayContaining([title]),
        ]);
      for (const q of missed)
        expect([content, q, await foundTitles(api, key, q)]).not.toEqual([
          content,
          q,
          expect.arrayContaining([title]),
        ]);
    }
    await indexAll(api);
  }
});

test.each([
  ['Latin', Array.from({ length: 60_000 }, (_, n) => `w${n.toString(36)}qz${(n * 7).toString(36)}`), ' '],
  ['Chinese', Array.from({ length: 20_000 }, (_, n) => String.fromCodePoint(0x4e00 + n)), ''],
])('every word of the longest %s content is found', async (_, words, between) => {
  const { secretKey: key, siteId } = await buildTenant(api.db);
  let content = words.join(between);
  const more = Buffer.byteLength(content);
  while (Buffer.byteLength(content) + more < 900_000) content += ` ${words.join(between)}`;
  const last = words.at(-1) as string;
  await buildArticle(api, key, { title: 'Long', content: `${content} needle${last}` });
  await buildFillers(api, siteId);
  for (const __ of ['at once', 'indexed']) {
    for (const q of [words[0] as string, words[words.length >> 1] as string, last, `needle${last}`])
      expect([q, await foundTitles(api, key, q)]).toEqual([q, ['Long']]);
    await indexAll(api);
  }
});
