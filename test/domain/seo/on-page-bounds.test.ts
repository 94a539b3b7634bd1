import { readOutline } from '../../../adapters/articles/outline.ts';
import { examineArticle } from '../../../domain/seo/on-page/rules.ts';
import type { OnPageArticle } from '../../../domain/seo/on-page/rules.ts';

const sound: OnPageArticle = {
  title: 'A title in bounds',
  seo_title: null,
  seo_description: null,
  seo_keywords: null,
};
const words = (count: number, word = 'tea'): string => Array.from({ length: count }, () => word).join(' ');
/** 300 words in short sentences and paragraphs. */
const content = Array.from({ length: 30 }, () => `${words(10)}.`).join('\n\n');

function rulesOf(text: string, article: Partial<OnPageArticle> = {}): readonly string[] {
  const outline = readOutline({ text, locale: 'en' });
  if (outline === null) throw new Error('it cannot be read');
  return examineArticle({ ...sound, ...article }, outline).map(({ rule }) => rule);
}

test.each([
  [299, ['thin-content']],
  [300, []],
])('%d words of content', (count, found) => {
  const text = `${content.slice(0, content.lastIndexOf('tea'))}${count === 300 ? 'tea' : ''}.`;
  expect(rulesOf(text)).toEqual(found);
});

test.each([
  [150, []],
  [151, ['long-paragraph']],
])('%d words of a paragraph', (count, found) => {
  const paragraph = Array.from({ length: 10 }, (_, at) => `${words(at === 0 ? count - 135 : 15)}.`).join(' ');
  expect(rulesOf(`${content}\n\n${paragraph}`)).toEqual(found);
});

test('a paragraph goes on behind a line break', () => {
  const lines = Array.from({ length: 11 }, () => `${words(14)}.`);
  expect(rulesOf(`${content}\n\n${lines.join('  \n')}`)).toEqual(['long-paragraph']);
});

test.each([
  [8, []],
  [9, ['hard-to-read']],
])('sentences of 20 words, of which %d are long', (long, found) => {
  // LIX is 20 + 5 for each long word; seven letters are long, and six are not.
  const sentence = `${words(long, 'kettles')} ${words(20 - long, 'kettle')}.`;
  expect(rulesOf(Array.from({ length: 15 }, () => sentence).join('\n\n'))).toEqual(found);
});

test.each([
  [{ title: '🍵'.repeat(9) }, ['title-length']],
  [{ title: '🍵'.repeat(10) }, []],
  [{ title: '🍵'.repeat(60) }, []],
  [{ title: '🍵'.repeat(61) }, ['title-length']],
  [{ seo_description: '🍵'.repeat(49) }, ['description-length']],
  [{ seo_description: '🍵'.repeat(50) }, []],
  [{ seo_description: '🍵'.repeat(160) }, []],
  [{ seo_description: '🍵'.repeat(161) }, ['description-length']],
  [{ seo_description: '  ' }, []],
])('lengths are counted in characters as people see them (%#)', (article, found) => {
  expect(rulesOf(content, article)).toEqual(found);
});

test.each([
  [99, []],
  [100, ['keyword-missing']],
])('a keyword after the first %d words', (before, found) => {
  const text = `${words(before)} oolong\n\n${content}`;
  expect(rulesOf(text, { seo_keywords: ['Oolong'] }).filter((rule) => rule === 'keyword-missing')).toEqual(
    found,
  );
});
