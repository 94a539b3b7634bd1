import { blankArticle } from '../../../domain/articles/row.ts';
import { compress, digestOf, readLast, serialized } from '../../../domain/articles/revision-body.ts';
import type { KeptMembers, StoredBody } from '../../../domain/articles/revision-body.ts';

const articleWith = (values: Partial<KeptMembers>): KeptMembers => ({ ...blankArticle, ...values });

const stored = async (article: KeptMembers, former?: KeptMembers): Promise<StoredBody> => {
  const body = serialized(article);
  return {
    digest: digestOf(body),
    whole: former === undefined,
    body: await compress(body, former && serialized(former)),
  };
};

const everything = articleWith({
  title: 'Tea ☕ \u{1F375}',
  slug: 'tea',
  content: 'Line\r\n\u2028\u2029 "quoted" \\ \u0001',
  seo_keywords: [],
  faqs: [{ question: '', answer: 'Ü' }],
  howto_steps: [{ name: 'First', text: 'Boil', image_url: null }],
  comparison: { title: null, columns: ['a'], rows: [{ label: 'b', values: ['c'] }] },
});

test('a body is read as it was stored, whole or as the difference to the one before', async () => {
  const later = { ...everything, content: 'Other', faqs: null };
  const bodies = [await stored(everything), await stored(later, everything)];
  for (const [count, article] of [everything, later].entries()) {
    const read = await readLast(bodies.slice(0, count + 1));
    expect(serialized(read).toString()).toBe(serialized(article).toString());
    const { title, content, faqs, comparison, external_id } = article;
    expect(read).toMatchObject({ title, content, faqs, comparison, external_id });
  }
});

test('the same values give the same bytes, in whatever order their names are', () => {
  const faqs = [{ question: 'Why?', answer: 'So.' }];
  const turned = [{ answer: 'So.', question: 'Why?' }];
  expect(serialized(articleWith({ faqs })).equals(serialized(articleWith({ faqs: turned })))).toBe(true);
});

test('a megabyte with an edit in the middle is a difference of some hundred bytes', async () => {
  const words = Array.from({ length: 150_000 }, (_, index) => (index * 2_654_435_761) % 99_991);
  const before = articleWith({ content: words.join(' ') });
  const after = articleWith({ content: words.with(75_000, -1).join(' ') });
  expect((await stored(after, before)).body.length).toBeLessThan(1_000);
});

test('a body that is not what was stored is an error, not another text', async () => {
  const other = articleWith({ title: 'Other' });
  const body = await stored(everything);
  await expect(readLast([{ ...body, digest: digestOf(serialized(other)) }])).rejects.toThrow(
    'not what was stored',
  );
});
