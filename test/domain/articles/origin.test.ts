import {
  digitalSourceType,
  editedOrigin,
  textMembers,
  writtenOrigin,
} from '../../../domain/articles/origin.ts';
import { blankArticle } from '../../../domain/articles/row.ts';
import type { Article } from '../../../domain/articles/row.ts';

const article = (values: Partial<Article>): Article => ({ ...blankArticle, ...values }) as Article;
const full = { question: 'Why?', answer: 'Because.' };

test.each<[string, Partial<Article>, string]>([
  ['nothing but a topic', { title: 'Tea', slug: 'tea' }, 'generated'],
  ['texts that are empty', { title: 'Tea', content: ' \n', excerpt: '', faqs: [] }, 'generated'],
  [
    'an image and a category',
    { featured_image_url: 'https://a.example/a.png', category_id: 'c' },
    'generated',
  ],
  ['a content', { content: 'Mine.' }, 'assisted'],
  ['an excerpt', { excerpt: 'Mine.' }, 'assisted'],
  ['a description for searches', { seo_description: 'Mine.' }, 'assisted'],
  ['a structured block', { faqs: [full] }, 'assisted'],
  ['a comparison', { comparison: { columns: [], rows: [] } }, 'assisted'],
  ['a text of its own', { content: 'Written.', origin: 'generated' }, 'generated'],
  ['a text that a person edited', { content: 'Edited.', origin: 'assisted' }, 'assisted'],
])('the pipeline writes into an article with %s', (_, values, origin) => {
  expect(writtenOrigin(article(values))).toBe(origin);
});

test('only a change of text makes a generated article assisted, and a person’s stays a person’s', () => {
  for (const name of textMembers) {
    expect(editedOrigin(article({ origin: 'generated' }), { [name]: null })).toBe('assisted');
    expect(editedOrigin(article({}), { [name]: null })).toBe('person');
    expect(editedOrigin(article({ origin: 'assisted' }), { [name]: null })).toBe('assisted');
  }
  const others = { slug: 'x', featured_image_url: null, tag_ids: [], category_id: null, external_id: 'x' };
  expect(editedOrigin(article({ origin: 'generated' }), others)).toBe('generated');
});

test('only a Site that marks its articles names a source, and none for a person’s', () => {
  const type = 'http://cv.iptc.org/newscodes/digitalsourcetype';
  expect(digitalSourceType('mark', 'generated')).toBe(`${type}/trainedAlgorithmicMedia`);
  expect(digitalSourceType('mark', 'assisted')).toBe(`${type}/compositeWithTrainedAlgorithmicMedia`);
  expect(digitalSourceType('mark', 'person')).toBeNull();
  expect(digitalSourceType('none', 'generated')).toBeNull();
});
