import type { Database } from '../../db/database.ts';
import { pageOf, readScannedArticles, readScannedSite } from '../../domain/seo/articles/read.ts';
import { readSharedKeywords } from '../../domain/seo/articles/shared-keywords.ts';
import { ruleNamesOf } from '../../domain/seo/rules.ts';
import { planArticles } from '../../domain/seo/scan-articles.ts';
import type { Fault, ScanKind } from '../../domain/seo/scan-kind.ts';

/** Competitors of one article that its evidence shows. */
const SHOWN = 20;

/** Finds articles that are written for the same keyword, and so compete with each other in search results. */
export const createKeywordOverlap = ({ db }: { readonly db: Database }): ScanKind<'keyword-overlap'> => ({
  name: 'keyword-overlap',
  plan: (work, after) => planArticles(db, 'keyword-overlap', work, after),
  async examine({ siteId }, targets) {
    const ids = targets.map(({ key }) => key);
    const [site, articles, shared] = await Promise.all([
      readScannedSite(db, siteId),
      readScannedArticles(db, siteId, ids),
      readSharedKeywords(db, siteId, ids, SHOWN),
    ]);
    const others = Map.groupBy(shared, ({ article_id: id }) => id);
    const faults = articles.flatMap((article): Fault<'keyword-overlap'>[] => {
      const found = others.get(article.id) ?? [];
      const [first] = found;
      if (first === undefined) return [];
      const competitors = found.map(({ other_id: id, title, keywords }) => ({
        article_id: id,
        title,
        keywords,
      }));
      const evidence = { competitors, count: first.others };
      const rule = 'competing-articles';
      return [{ rule, subject: article.id, url: pageOf(site, article), articleId: article.id, evidence }];
    });
    return { faults, lookedAt: [{ rules: ruleNamesOf('keyword-overlap'), subjects: ids }] };
  },
});
