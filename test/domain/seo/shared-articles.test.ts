import { createKeywordOverlap } from '../../../activities/seo-scan/keyword-overlap.ts';
import { readSharedTags } from '../../../domain/seo/articles/links.ts';
import { readSharedKeywords } from '../../../domain/seo/articles/shared-keywords.ts';
import { useApi } from '../../support/api.ts';
import { buildPublished, buildTenant, buildTerm } from '../../support/builders.ts';
import type { Tenant } from '../../support/builders.ts';
import { driveScan } from '../../support/scan-driver.ts';

const MOST = 20;
const ARTICLES = 23;
/** As many keywords as an article may have, some of them long. */
const keywords = Array.from({ length: 100 }, (_, at) => `Tea ${100 + at} ${'x'.repeat(at < 50 ? 150 : 10)}`);
const api = await useApi();
let tenant: Tenant;
let ids: string[];
let closest: string;

beforeAll(async () => {
  tenant = await buildTenant(api.db);
  const tags: string[] = [];
  while (tags.length < 3) tags.push((await buildTerm(api, tenant.secretKey, 'tags')).id);
  const build = async (slug: string, body: object): Promise<string> =>
    (await buildPublished(api, tenant.secretKey, { slug, title: slug, content: 'x', ...body })).id;
  ids = [];
  for (let made = 1; made < ARTICLES; made += 1)
    ids.push(await build(`a-${made}`, { seo_keywords: keywords.slice(0, 30), tag_ids: tags.slice(0, 2) }));
  closest = await build('closest', { seo_keywords: keywords, tag_ids: tags });
  ids.push(await build('mine', { seo_keywords: keywords, tag_ids: tags }));
});

test('of the articles that share keywords with one, the closest are read, with the first of these keywords', async () => {
  const [mine = ''] = ids.slice(-1);
  const shared = await readSharedKeywords(api.db, tenant.siteId, [mine, ids[0] ?? ''], MOST);
  const ofMine = shared.filter(({ article_id: id }) => id === mine);
  expect([shared.length, ofMine.length]).toEqual([2 * MOST, MOST]);
  expect(ofMine[0]).toEqual({
    article_id: mine,
    other_id: closest,
    title: 'closest',
    keywords: keywords.slice(0, 20).map((keyword) => keyword.toLowerCase().slice(0, 100)),
    others: ARTICLES,
  });
  // The oldest of those that are equally close.
  expect(ofMine.slice(1).map(({ other_id: id }) => id)).toEqual(ids.slice(0, MOST - 1));
});

test('the evidence says how many compete, and names the closest', async () => {
  const { faults } = await driveScan(createKeywordOverlap({ db: api.db }), tenant.siteId, {
    article_ids: ids.slice(-1),
  });
  const [{ evidence }] = faults as [(typeof faults)[0]];
  expect(evidence).toMatchObject({ count: ARTICLES });
  expect(evidence['competitors']).toHaveLength(MOST);
});

test('of the articles that share tags with one, the closest are read', async () => {
  const mine = ids.slice(-1);
  const shared = await readSharedTags(api.db, tenant.siteId, mine, MOST);
  expect(shared.map(({ other_id: id }) => id)).toEqual([closest, ...ids.slice(0, MOST - 1)]);
});
