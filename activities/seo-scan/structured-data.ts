import type { JsonLdReport } from '../../domain/seo/pages/json-ld.ts';
import { readPublicPages } from '../../domain/seo/pages/public-pages.ts';
import { ruleNamesOf } from '../../domain/seo/rules.ts';
import type { Fault, NewTarget, ScanKind, Target } from '../../domain/seo/scan-kind.ts';
import { oneByOne } from './follow.ts';
import type { Ports } from '../ports.ts';

const PART = 1_000;

const rules = ruleNamesOf('structured-data');

/** Examines the JSON-LD of pages of articles. */
export const createStructuredData = ({
  db,
  pages,
}: Pick<Ports, 'db' | 'pages'>): ScanKind<'structured-data'> => ({
  name: 'structured-data',
  async plan({ siteId, parameters }, after) {
    const part = await readPublicPages(db, siteId, after, PART, parameters.article_ids);
    const targets = part.map(({ id, url }): NewTarget => ({
      key: id,
      url,
      articleId: id,
      memo: {},
      examine: true,
    }));
    return { targets, next: part.length < PART ? null : (part.at(-1)?.id ?? null) };
  },
  async examine({ siteId, signal }, targets) {
    const faults: Fault<'structured-data'>[] = [];
    const subjects: string[] = [];
    const uncounted: string[] = [];
    const options = { siteId, signal, read: true };
    const published = await readPublicPages(
      db,
      siteId,
      null,
      PART,
      targets.map(({ key }) => key),
    );
    const urls = new Map(published.map(({ id, url }) => [id, url]));
    const looked = await oneByOne(targets, async (target) => {
      const url = urls.get(target.key);
      const visit = url === undefined ? null : await pages.visit(url, options);
      const isPage = visit?.outcome === 'answered' && visit.status >= 200 && visit.status <= 299;
      const page = isPage ? await pages.read(visit, options) : null;
      // Not examined: a target that is not a page, or that may not be fetched.
      if (visit === null || visit.outcome === 'forbidden' || (isPage && page === null))
        uncounted.push(target.key);
      if (page === null) return;
      subjects.push(target.key);
      faults.push(...faultsOf({ ...target, url: url ?? null }, page));
    });
    const postponed = targets.slice(looked.length).map(({ key }) => key);
    return { faults, lookedAt: [{ rules, subjects }], uncounted, postponed };
  },
});

/** Each thing of a type that lacks a property is one fault of the page. */
function faultsOf(
  { key, url, articleId }: Target,
  { jsonLd, marked }: { readonly jsonLd: JsonLdReport; readonly marked: boolean },
): Fault<'structured-data'>[] {
  const shown = { subject: key, url, articleId };
  const { invalid, types, missing } = jsonLd;
  const nothing = invalid.length === 0 && types.length === 0 && !marked;
  return [
    ...invalid.map(({ block, message }) => ({
      ...shown,
      rule: 'invalid-json-ld' as const,
      key: `${key} ${block}`,
      evidence: { block, message },
    })),
    ...missing.map(({ type, property, required }) => ({
      ...shown,
      rule: required ? ('missing-required-property' as const) : ('missing-recommended-property' as const),
      key: `${key} ${type} ${property}`,
      evidence: { type, property },
    })),
    ...(nothing ? [{ ...shown, rule: 'no-structured-data' as const, evidence: {} }] : []),
  ];
}
