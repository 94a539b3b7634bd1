import type { Backlinks } from '../../adapters/pages/jobs.ts';
import type { PageVisitor } from '../../adapters/pages/visitor.ts';
import type { Visit, VisitOptions } from '../../adapters/pages/visit.ts';
import { shareOf } from '../../domain/organisations/share.ts';
import { noteBacklinkChecks, readBacklinkIds, readBacklinks } from '../../domain/seo/backlinks/checks.ts';
import type { BacklinkCheck, BacklinkToCheck } from '../../domain/seo/backlinks/checks.ts';
import { faultsOfLive, isGone } from '../../domain/seo/pages/backlink-rules.ts';
import { readOpenFindings } from '../../domain/seo/pages/open-findings.ts';
import { ruleNamesOf } from '../../domain/seo/rules.ts';
import type { Fault, NewTarget, ScanKind } from '../../domain/seo/scan-kind.ts';
import { visitAll } from './follow.ts';
import type { Ports } from '../ports.ts';

const PART = 1_000;

const rules = ruleNamesOf('backlinks');

/** Looks whether the pages of other sites still link to the Site. */
export const createBacklinks = ({
  db,
  pages,
  clock,
}: Pick<Ports, 'db' | 'pages' | 'clock'>): ScanKind<'backlinks'> => ({
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
  async examine({ siteId, signal }, targets) {
    const keys = targets.map(({ key }) => key);
    const links = await readBacklinks(db, siteId, keys);
    const targetsOf = Map.groupBy(links, ({ source_url: source }) => source);
    const reading = { siteId, signal, read: true };
    const sources = await visitAll(pages, [...targetsOf.keys()], reading, (visit, url) =>
      readSource(pages, visit, reading, targetsOf.get(url) ?? []),
    );
    const visited = links.filter(({ source_url: source }) => sources.has(source));
    const shown = await visitAll(
      pages,
      visited.map((link) => link.target_url),
      { siteId, signal, read: false },
      (visit) => (visit.outcome === 'answered' ? visit.status : null),
    );
    const looked = visited.filter(({ target_url: target }) => shown.has(target));
    const outcomes = looked.map((link) =>
      outcomeOf(link, sources.get(link.source_url), shown.get(link.target_url) ?? null),
    );
    const checks = outcomes.flatMap(({ checked }) => (checked === null ? [] : [checked]));
    const own = await shareOf(db, siteId);
    await own.transaction((tx) => noteBacklinkChecks(tx, siteId, checks, clock.now()));
    const done = new Set(looked.map(({ id }) => id));
    const postponed = links.map(({ id }) => id).filter((id) => !done.has(id));
    const counted = new Set(outcomes.filter(({ forbidden }) => !forbidden).map(({ id }) => id));
    return {
      faults: outcomes.flatMap(({ faults }) => faults),
      lookedAt: [{ rules, subjects: checks.map(({ id }) => id) }],
      uncounted: keys.filter((key) => !counted.has(key)),
      postponed,
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

/** The state of links that a page of another site should have. */
type Source =
  | 'forbidden'
  /** It does not answer, or is no page. */
  | 'silent'
  | { readonly gone: number }
  | Backlinks;

async function readSource(
  pages: Pick<PageVisitor, 'readLinks'>,
  visit: Visit,
  options: VisitOptions,
  links: readonly BacklinkToCheck[],
): Promise<Source> {
  if (visit.outcome !== 'answered') return visit.outcome === 'forbidden' ? 'forbidden' : 'silent';
  if (isGone(visit.status)) return { gone: visit.status };
  if (visit.status >= 400) return 'silent';
  const targets = links.map(({ target_url: target }) => target);
  return (await pages.readLinks(visit, targets, options)) ?? 'silent';
}

/** @param status of the target; null if it does not answer */
function outcomeOf(link: BacklinkToCheck, source: Source = 'silent', status: number | null): Outcome {
  const { id } = link;
  if (typeof source === 'string') return { id, checked: null, forbidden: source === 'forbidden', faults: [] };
  const fault = ({ rule, evidence }: Pick<Fault<'backlinks'>, 'rule' | 'evidence'>): Fault<'backlinks'> => ({
    rule,
    subject: id,
    url: link.source_url,
    articleId: link.article_id,
    evidence: { backlink_id: id, target_url: link.target_url, ...evidence },
  });
  const found = 'gone' in source ? null : (source.links.get(link.target_url) ?? null);
  if ('gone' in source || found === null) {
    const evidence = 'gone' in source ? { status: source.gone } : {};
    return {
      id,
      checked: { id, found: null },
      forbidden: false,
      faults: [fault({ rule: 'lost-backlink', evidence })],
    };
  }
  return {
    id,
    checked: { id, found: { anchor: found.text, rel: found.rel } },
    forbidden: false,
    faults: faultsOfLive(found, source.robots, status === null ? null : { status }).map(fault),
  };
}
