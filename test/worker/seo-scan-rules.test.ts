import { buildPublished } from '../support/builders.ts';
import { buildPurse } from '../support/pipeline.ts';
import type { Purse } from '../support/pipeline.ts';
import { endedScan, findingsOf, startScan, startScans } from '../support/scans.ts';
import type { ScanStack } from '../support/scans.ts';

let stack: ScanStack;

beforeAll(async () => {
  stack = await startScans();
});
afterAll(() => stack.close());

/** Short sentences, so many words. */
const text = (words: number): string =>
  'Green tea is good with hot milk now. '.repeat(Math.ceil(words / 8)).trim();
/** 7 paragraphs of 56 words. */
const sound = Array.from({ length: 7 }, () => text(56)).join('\n\n');
const long = (length: number): string => 'a'.repeat(length);

let made = 0;
const publish = ({ key }: Purse, values: object = {}): Promise<{ id: string; slug: string }> => {
  made += 1;
  const slug = `article-${made}`;
  return buildPublished(stack.api, key, {
    title: `A title in bounds, ${made}`,
    slug,
    content: sound,
    ...values,
  });
};

async function scan(purse: Purse, kind: string, articles: readonly { id: string }[]): Promise<any[]> {
  const { id } = await startScan(stack.api, purse.key, kind, { article_ids: articles.map((one) => one.id) });
  const { status } = await endedScan(stack.api, purse.key, id);
  expect(status).toBe('completed');
  return findingsOf(stack.api, purse.key, `&kind=${kind}`);
}

/** The rule, what breaks it, and what only just does not. */
const cases: readonly [string, object, object][] = [
  ['title-length', { title: long(61) }, { title: long(60) }],
  ['title-length', { title: long(9) }, { title: long(10) }],
  ['title-length', { seo_title: long(61) }, { title: long(61), seo_title: long(60) }],
  ['description-length', { seo_description: long(49) }, { seo_description: long(50) }],
  ['description-length', { seo_description: long(161) }, { seo_description: long(160) }],
  ['description-length', { seo_description: long(49) }, { seo_description: null }],
  [
    'heading-order',
    { content: `## A\n\n#### B\n\n${sound}` },
    { content: `## A\n\n### B\n\n## C\n\n${sound}` },
  ],
  [
    'missing-alt',
    { content: `![](https://a.test/a.png)\n\n${sound}` },
    { content: `![A](https://a.test/a.png)\n\n${sound}` },
  ],
  [
    'missing-alt',
    { content: `<img src="https://a.test/a.png">\n\n${sound}` },
    { content: `\`<img>\`\n\n${sound}` },
  ],
  [
    'thin-content',
    { content: text(296).replaceAll('now. ', 'now.\n\n') },
    { content: text(304).replaceAll('now. ', 'now.\n\n') },
  ],
  ['keyword-missing', { seo_keywords: ['oolong'] }, { seo_keywords: ['oolong', 'GREEN  tea'] }],
  ['long-paragraph', { content: `${text(152)}\n\n${sound}` }, { content: `${text(144)}\n\n${sound}` }],
  [
    'hard-to-read',
    {
      content: Array.from({ length: 7 }, () => `${'extraordinarily complicated '.repeat(28)}.`).join('\n\n'),
    },
    { content: sound },
  ],
];

test.each(cases)(
  '%s is found where it is, once, and not where it only just is not (%#)',
  async (rule, wrong, right) => {
    const purse = await buildPurse(stack.api, 5);
    const [bad, good] = [await publish(purse, wrong), await publish(purse, right)];
    const found = await scan(purse, 'on-page', [bad, good]);
    expect(found.map(({ rule: name, article_id: id }) => [name, id])).toEqual([[rule, bad.id]]);
  },
);

test('internal-links finds an orphan, a broken link and a missing one, each once', async () => {
  const purse = await buildPurse(stack.api, 5);
  const { slug } = await publish(purse);
  const { domain } = (await stack.api.request('GET', '/site', { key: purse.key })).data;
  const links = `[absolute](https://${domain}/${slug}) [gone](/no-such-article) [again](/no-such-article#x) [out](https://other.test/x)`;
  const linking = await publish(purse, { content: `${sound}\n\n${links}`, seo_keywords: ['Green tea'] });
  const related = await publish(purse, {
    content: `${sound}\n\n[back](/${slug})`,
    seo_keywords: ['green  TEA'],
  });
  const linked = {
    id: (await stack.api.request('GET', `/articles?limit=100`, { key: purse.key })).data.items.find(
      (one: { slug: string }) => one.slug === slug,
    ).id,
  };
  const found = await scan(purse, 'internal-links', [linked, linking, related]);
  const short = found.map(({ rule, severity, article_id: id }) => `${rule} ${severity} ${id}`).sort();
  expect(short).toEqual(
    [
      `broken-internal-link error ${linking.id}`,
      `missing-related-link notice ${linking.id}`,
      `missing-related-link notice ${related.id}`,
      `orphan-article warning ${linking.id}`,
      `orphan-article warning ${related.id}`,
    ].sort(),
  );
});

test.each(['/p-{slug}', '/p_{slug}', '/{slug}.html'])('at %s a linked article is no orphan', async (path) => {
  const purse = await buildPurse(stack.api, 5);
  const { url_paths: paths } = (await stack.api.request('GET', '/site', { key: purse.key })).data;
  const body = { url_paths: { ...paths, article: path } };
  expect((await stack.api.request('PATCH', '/site', { key: purse.key, body })).status).toBe(200);
  const linked = await publish(purse);
  const link = `[this](${path.replace('{slug}', linked.slug)})`;
  const linking = await publish(purse, { content: `${sound}\n\n${link}` });
  const found = await scan(purse, 'internal-links', [linked, linking]);
  expect(found.map(({ rule, article_id: id }) => [rule, id])).toEqual([['orphan-article', linking.id]]);
});

test('keyword-overlap finds each of the articles that share a keyword, and no other', async () => {
  const purse = await buildPurse(stack.api, 5);
  const [one, other, third] = [
    await publish(purse, { seo_keywords: ['Green tea', 'pots'] }),
    await publish(purse, { seo_keywords: ['green  tea '] }),
    await publish(purse, { seo_keywords: ['black tea'] }),
  ];
  const found = await scan(purse, 'keyword-overlap', [one, other, third]);
  expect(found.map(({ article_id: id }) => id).sort()).toEqual([one.id, other.id].sort());
  const first = found.find(({ article_id: id }) => id === one.id);
  expect(first.evidence).toMatchObject({
    competitors: [{ article_id: other.id, keywords: ['green tea'] }],
    count: 1,
  });
});

test('findings are filtered, curated and planned', async () => {
  const purse = await buildPurse(stack.api, 5);
  const { key } = purse;
  const article = await publish(purse, { title: 'Short', content: 'Short.' });
  const found = await scan(purse, 'on-page', [article]);
  expect(found).toHaveLength(2);
  const list = (query: string) => findingsOf(stack.api, key, query);
  expect(await list('&severity=warning')).toHaveLength(1);
  expect(await list('&rule=title-length')).toHaveLength(1);
  expect(await list('&kind=site-crawl')).toEqual([]);
  expect(await list(`&article_id=${article.id}&status=open`)).toHaveLength(2);
  const [{ id }] = await list('&rule=thin-content');
  const patch = (body: object) => stack.api.request('PATCH', `/seo/findings/${id}`, { key, body });
  expect((await patch({ status: 'fixed' })).status).toBe(422);
  expect((await patch({ status: 'dismissed' })).data.status).toBe('dismissed');
  expect(await list('&status=dismissed')).toHaveLength(1);
  const planned = await stack.api.request('POST', `/seo/findings/${id}/plan`, { key });
  expect(planned.status).toBe(201);
  expect(planned.headers.get('location')).toContain(`/content-plan/${planned.data.id}`);
  expect(planned.data).toMatchObject({ title: 'Thin content: Short', status: 'idea' });
  await stack.api.request('DELETE', `/articles/${article.id}`, { key });
  await publish(purse);
  await endedScan(stack.api, key, (await startScan(stack.api, key, 'on-page')).id);
  expect(await list('&status=fixed')).toHaveLength(1);
});
