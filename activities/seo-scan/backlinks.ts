import type { PageVisitor } from '../../adapters/pages/visitor.ts';
import type { Visit } from '../../adapters/pages/visit.ts';
import type { Clock } from '../../domain/clock.ts';
import { noteBacklinkChecks, readBacklinkIds, readBacklinks } from '../../domain/seo/backlinks/checks.ts';
import type { BacklinkCheck, BacklinkToCheck } from '../../domain/seo/backlinks/checks.ts';
import { faultsOfLive, isGone, linkTo } from '../../domain/seo/pages/backlink-rules.ts';
import { readOpenFindings } from '../../domain/seo/pages/open-findings.ts';
import { ruleNamesOf } from '../../domain/seo/rules.ts';
import type { Fault, NewTarget, ScanKind, ScanWork } from '../../domain/seo/scan-kind.ts';
import { visitAll } from './follow.ts';
import type { PagePorts } from './site-crawl.ts';

const PART = 1_000;

const rules = ruleNamesOf('backlinks');

/** Looks whether the pages of other sites still link to the Site. */
export const createBacklinks = ({
  db,
  pages,
  clock,
}: PagePorts & { readonly clock: Clock }): ScanKind<'backlinks'> => ({
  name: 'backlinks',
  async plan({ siteId, parameters }, after) {
    const ids = await readBacklinkIds(db, siteId, parameters.article_ids, after, PART);
    const targets = ids.map((id): NewTarget => ({
      key: id,
      url: null,
      articleId: null,
      memo: {},
      examine: true,
    }));
    return { targets, next: ids.length < PART ? null : (ids.at(-1) ?? null) };
  },
  async examine(work, targets) {
    const { siteId, signal } = work;
    const links = await readBacklinks(
      db,
      siteId,
      targets.map(({ key }) => key),
    );
    const sources = await visitAll(
      pages,
      links.map((link) => link.source_url),
      { siteId, signal, read: true },
    );
    const shown = await visitAll(
      pages,
      links.map((link) => link.target_url),
      { siteId, signal, read: false },
    );
    const outcomes = await Promise.all(
      links.map((link) => check(pages, work, link, sources.get(link.source_url), shown.get(link.target_url))),
    );
    const checks = outcomes.flatMap(({ checked }) => (checked === null ? [] : [checked]));
    await db.transaction((tx) => noteBacklinkChecks(tx, siteId, checks, clock.now()), { siteId });
    const counted = new Set(outcomes.filter(({ forbidden }) => !forbidden).map(({ id }) => id));
    return {
      faults: outcomes.flatMap(({ faults }) => faults),
      lookedAt: [{ rules, subjects: checks.map(({ id }) => id) }],
      uncounted: targets.map(({ key }) => key).filter((key) => !counted.has(key)),
    };
  },
  async conclude({ siteId }) {
    const findings = await readOpenFindings(db, siteId, 'backlinks');
    const known = [...new Set(findings.flatMap(({ backlink_id: id }) => (id === null ? [] : [id])))];
    const left = new Set((await readBacklinks(db, siteId, known)).map(({ id }) => id));
    return { faults: [], lookedAt: [{ rules, subjects: known.filter((id) => !left.has(id)) }] };
  },
});

interface Outcome {
  readonly id: string;
  /** null if nothing can be said: the page does not answer, or may not be fetched. */
  readonly checked: BacklinkCheck | null;
  readonly forbidden: boolean;
  readonly faults: readonly Fault<'backlinks'>[];
}

async function check(
  pages: PageVisitor,
  { siteId, signal }: ScanWork,
  link: BacklinkToCheck,
  source: Visit | undefined,
  target: Visit | undefined,
): Promise<Outcome> {
  const { id } = link;
  const fault = ({ rule, evidence }: Pick<Fault<'backlinks'>, 'rule' | 'evidence'>): Fault<'backlinks'> => ({
    rule,
    subject: id,
    url: link.source_url,
    articleId: link.article_id,
    evidence: { backlink_id: id, target_url: link.target_url, ...evidence },
  });
  if (source?.outcome !== 'answered')
    return { id, checked: null, forbidden: source?.outcome === 'forbidden', faults: [] };
  const lost = (evidence: Fault['evidence']): Outcome => ({
    id,
    checked: { id, found: null },
    forbidden: false,
    faults: [fault({ rule: 'lost-backlink', evidence })],
  });
  if (isGone(source.status)) return lost({ status: source.status });
  const page = source.status >= 400 ? null : await pages.read(source, { siteId, signal, read: true });
  if (page === null) return { id, checked: null, forbidden: false, faults: [] };
  const found = linkTo(page.links, link.target_url);
  if (found === null) return lost({});
  const faults = faultsOfLive(found, page.robots, target?.outcome === 'answered' ? target : null);
  return {
    id,
    checked: { id, found: { anchor: found.text, rel: found.rel } },
    forbidden: false,
    faults: faults.map(fault),
  };
}
