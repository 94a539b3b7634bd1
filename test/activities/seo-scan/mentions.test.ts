import { createInternalLinks } from '../../../activities/seo-scan/internal-links.ts';
import { createJobProcesses } from '../../../adapters/untrusted-text/processes.ts';
import { createArticleReader } from '../../../adapters/articles/reader.ts';
import type { Queryable } from '../../../db/statements.ts';
import { useApi } from '../../support/api.ts';
import { buildPublished, buildTenant } from '../../support/builders.ts';
import { driveScan } from '../../support/scan-driver.ts';

const processes = createJobProcesses();
const articles = createArticleReader(processes);
const api = await useApi();

afterAll(() => processes.close());

test('large articles that mention another one are found without reading more than one of them at a time', async () => {
  const { siteId, secretKey: key } = await buildTenant(api.db);
  const large = 'word '.repeat(100_000);
  const linked = await buildPublished(api, key, { slug: 'linked' });
  const orphan = await buildPublished(api, key, { slug: 'orphan' });
  for (let made = 1; made < 5; made += 1)
    await buildPublished(api, key, { content: `\`/linked\` and \`/orphan\` ${large}` });
  await buildPublished(api, key, { content: `[this](/linked) and \`/orphan\` ${large}` });

  let largest = 0;
  const any: Queryable['any'] = async (query) => {
    const rows = await api.db.any(query);
    largest = Math.max(largest, JSON.stringify(rows).length);
    return rows;
  };
  const kind = createInternalLinks({ db: { ...api.db, any }, articles });
  const { faults } = await driveScan(kind, siteId, { article_ids: [linked.id, orphan.id] });
  expect(faults.map(({ rule, articleId }) => [rule, articleId])).toEqual([['orphan-article', orphan.id]]);
  expect(largest).toBeGreaterThan(large.length);
  expect(largest).toBeLessThan(2 * large.length);
});
