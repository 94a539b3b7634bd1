import type { Article, ArticleChanges } from '../../../domain/articles/row.ts';
import { keepEdits } from '../../../domain/pipeline/keep-edits.ts';

const asRead = (): Article =>
  ({
    version: 1,
    content: null,
    excerpt: 'As read.',
    seo_keywords: ['read'],
    faqs: [{ question: 'Q', answer: 'as read' }],
    category_id: 'a category',
    featured_image_url: null,
  }) as Partial<Article> as Article;

const result: ArticleChanges = {
  content: 'Of the stage.',
  excerpt: 'Of the stage.',
  seo_keywords: ['stage'],
  faqs: [{ question: 'Q', answer: 'of the stage' }],
};

const keep = (edits: Partial<Article>, changes = result) =>
  keepEdits(asRead(), { ...asRead(), ...edits }, changes);

test.each([
  ['nothing was changed', {}],
  ['only the version has moved', { version: 2 }],
  ['another field than the stage’s was changed', { category_id: null, featured_image_url: 'https://x/y' }],
])('all is written where %s', (_, edits) => {
  expect(keep(edits)).toEqual({ changes: result, leftOut: [] });
});

test.each([
  ['written', { content: 'Mine.' }, ['content']],
  ['emptied', { excerpt: null }, ['excerpt']],
  ['changed deep inside', { faqs: [{ question: 'Q', answer: 'mine' }] }, ['faqs']],
  ['changed together', { seo_keywords: [], excerpt: '' }, ['excerpt', 'seo_keywords']],
] as [string, Partial<Article>, (keyof ArticleChanges)[]][])(
  'a field that was %s is kept, and the others are written',
  (_, edits, leftOut) => {
    const rest = Object.entries(result).filter(([field]) => !(field in edits));
    expect(keep(edits)).toEqual({ changes: Object.fromEntries(rest), leftOut });
  },
);

test('if person and stage wrote the same, nothing is left out', () => {
  const { excerpt: _, ...rest } = result;
  expect(keep({ excerpt: result.excerpt! })).toEqual({ changes: rest, leftOut: [] });
});

test('a stage that writes nothing leaves nothing out', () => {
  expect(keep({ content: 'Mine.', version: 2 }, {})).toEqual({ changes: {}, leftOut: [] });
});
