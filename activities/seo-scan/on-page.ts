import { pageOf, readScannedArticles, readScannedSite } from '../../domain/seo/articles/read.ts';
import { examineArticle } from '../../domain/seo/on-page/rules.ts';
import { ruleNamesOf } from '../../domain/seo/rules.ts';
import { planArticles } from '../../domain/seo/scan-articles.ts';
import type { Fault, ScanKind } from '../../domain/seo/scan-kind.ts';
import type { Ports } from '../ports.ts';

/** Holds stored articles against the rules for a page, without fetching anything. */
export const createOnPage = ({ db, articles }: Pick<Ports, 'db' | 'articles'>): ScanKind<'on-page'> => ({
  name: 'on-page',
  plan: (work, after) => planArticles(db, 'on-page', work, after),
  async examine({ siteId, signal }, targets) {
    const [site, found] = await Promise.all([
      readScannedSite(db, siteId),
      readScannedArticles(
        db,
        siteId,
        targets.map(({ key }) => key),
      ),
    ]);
    const faults: Fault<'on-page'>[] = [];
    const subjects: string[] = [];
    for (const article of found) {
      const outline = await articles.outline(siteId, article.content ?? '', site.locale, signal);
      // A page that cannot be read has not been looked at.
      if (outline === null) continue;
      subjects.push(article.id);
      const shown = { subject: article.id, url: pageOf(site, article), articleId: article.id };
      for (const fault of examineArticle(article, outline)) faults.push({ ...fault, ...shown });
    }
    return { faults, lookedAt: [{ rules: ruleNamesOf('on-page'), subjects }] };
  },
});
