import type { Transaction } from '../../db/transaction.ts';
import { at, json, sql, statement } from '../../db/sql.ts';
import type { Site } from '../kernel/site.ts';
import { makerOf } from '../access/standing.ts';
import { requireRoom } from '../kernel/ceilings.ts';
import { recordChange } from '../audit/change.ts';
import type { Change } from '../audit/change.ts';
import { conflict, ServiceError, validationFailed } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import { hasEnded } from '../paid-work/paid-work.ts';
import { requireCredits } from '../usage/require-credits.ts';
import { signalWorkflow } from '../kernel/workflow-messages.ts';
import { outboundKinds } from './rules.ts';
import type { ScanKindName } from './rules.ts';
import { getLastOfChain, getScan, unitsOf } from './scan.ts';
import type { Scan } from './scan.ts';
import { countScanArticles, unusableArticles } from './scan-articles.ts';
import type { ScanParameters } from './scan-kind.ts';
import { countBacklinks } from './backlinks/count.ts';
import { requireStartUrl } from './start-url.ts';
import { takeOverTargets } from './targets.ts';

/** Scans of a Site that may be unfinished at the same time. */
export const UNFINISHED_LIMIT = 100;

/** Pages of a crawl, unless the request says how many. */
const MAX_PAGES = 200;

/** The operator's limits of scans. */
export interface ScanSettings {
  /** Whether scans may call out. */
  readonly outbound: boolean;
  /** Whether an address is on a host that the operator exempts: a test site, which may be crawled, also by http. */
  readonly exempts: (url: URL) => boolean;
}

export interface ScanRequest {
  readonly kind: ScanKindName;
  readonly parameters: ScanParameters;
  readonly resumeId: string | undefined;
}

/**
 * Starts a scan (docs/spec/rulings.md, 19, The seven scans), with the gates of a run in the same order, and leaves the
 * rest to its workflow.
 *
 * @throws ServiceError NOT_FOUND for the scan to resume; PREREQUISITE_MISSING, FEATURE_UNAVAILABLE or CONFLICT if there
 *   is nothing to do; VALIDATION_FAILED; INSUFFICIENT_CREDITS or SPEND_CAP_REACHED if not even one unit can be paid
 */
export async function createScan(
  change: Change & { readonly site: Pick<Site, 'domain'> },
  settings: ScanSettings,
  { kind, parameters, resumeId }: ScanRequest,
): Promise<Scan> {
  const { tx, site, now } = change;
  if (resumeId !== undefined) await getScan(tx, site.id, resumeId);
  requireOutbound(kind, settings);
  const resumed = resumeId === undefined ? null : await findRest(tx, site.id, resumeId);
  const total =
    resumed === null
      ? await requireWork(tx, site.id, kind, parameters)
      : resumed.planned
        ? unitsOf(kind, resumed.targets_left)
        : await unplannedUnits(tx, site.id, kind, resumed.parameters);
  if (resumed !== null && resumed.kind !== kind)
    throw validationFailed({ resume_scan_id: `is the id of a scan of the kind ${resumed.kind}` });
  if (kind === 'site-crawl' && resumed === null) requireStartUrl(parameters.start_url, site.domain, settings);
  await requireCredits(tx, site.id, 1, { unit: 'unit of the scan', started: 'scan' }, now);
  await requireRoom(tx, site.id, {
    limit: UNFINISHED_LIMIT,
    existing: sql.fragment`select from seo_scans where site_id = ${site.id} and finished_at is null`,
    message: `${UNFINISHED_LIMIT} scans of this Site are unfinished, which is the limit. Wait until one has ended, or cancel one.`,
  });

  const id = newId();
  const pages = kind === 'site-crawl' ? (parameters.max_pages ?? MAX_PAGES) : null;
  const from = resumed ?? { id: null, parameters, plan_position: null, planned: false, targets_left: 0 };
  await tx.exec(statement`
    insert into seo_scans (
      id, site_id, kind, status, parameters, resumed_from, plan_position, planned, targets_left, most_counted, units_total,
      created_at, active_at, key_id
    ) values (
      ${id}, ${site.id}, ${kind}, 'queued', ${json(from.parameters)}, ${from.id}, ${from.plan_position}, ${from.planned},
      ${from.targets_left}, ${resumed === null ? pages : pagesLeft(resumed)}, ${kind === 'site-crawl' ? null : total},
      ${at(now)}, ${at(now)}, ${makerOf(change.actor)}
    )`);
  if (resumed !== null) await takeOverTargets(tx, resumed.id, id);
  recordChange(change, 'seo_scan.start', { type: 'seo_scan', id }, { kind, resumed: resumed?.id ?? null });
  signalWorkflow(tx, 'seo-scan', { scanId: id, siteId: site.id, signal: 'start' }, now);
  return getScan(tx, site.id, id);
}

const IMPORT = 'POST /seo/backlinks/import';

function requireOutbound(kind: ScanKindName, { outbound }: ScanSettings): void {
  if (outbound || !outboundKinds.has(kind)) return;
  throw new ServiceError(
    'FEATURE_UNAVAILABLE',
    `The operator has switched off scans that fetch pages. Backlinks can be imported all the same: ${IMPORT}.`,
  );
}

/**
 * The scan whose rest is to be taken: the named one, or the one that took its rest last.
 *
 * @throws ServiceError CONFLICT if nothing of it is left, or it has not ended
 */
async function findRest(tx: Transaction, siteId: string, id: string): Promise<Scan> {
  const last = await getLastOfChain(tx, siteId, id);
  const which = last.id === id ? 'the scan' : `the scan ${last.id}, which took its rest,`;
  if (!hasEnded(last)) throw conflict(`resume_scan_id: ${which} has not ended yet.`);
  if (last.status === 'completed' || (last.planned && last.targets_left === 0))
    throw conflict(`resume_scan_id: ${which} left nothing to do.`);
  return last;
}

/** @returns the units, null if only the scan itself finds that out */
async function requireWork(
  tx: Transaction,
  siteId: string,
  kind: ScanKindName,
  { article_ids: ids }: ScanParameters,
): Promise<number | null> {
  const unusable = ids === undefined ? {} : await unusableArticles(tx, siteId, kind, ids);
  const isEveryUnusable = ids?.every((_, index) => `article_ids.${index}` in unusable) ?? false;
  if (kind === 'site-crawl') return refuse(unusable, null);
  if (kind === 'backlinks') {
    const links = await requireBacklinks(tx, siteId, isEveryUnusable ? undefined : ids);
    return refuse(unusable, unitsOf(kind, links));
  }
  if (isEveryUnusable) return refuse(unusable, null);
  const articles = await countScanArticles(tx, siteId, kind, ids);
  if (articles === 0 && ids === undefined)
    throw conflict('There is nothing to do: the Site has no published article.');
  return refuse(unusable, kind === 'outbound-links' ? null : unitsOf(kind, articles));
}

/** The units of a scan that ended before it was planned. @returns null if only the scan itself finds that out */
async function unplannedUnits(
  tx: Transaction,
  siteId: string,
  kind: ScanKindName,
  { article_ids: ids }: ScanParameters,
): Promise<number | null> {
  if (kind === 'site-crawl' || kind === 'outbound-links') return null;
  const count =
    kind === 'backlinks'
      ? await countBacklinks(tx, siteId, ids)
      : await countScanArticles(tx, siteId, kind, ids);
  return unitsOf(kind, count);
}

/** @throws ServiceError VALIDATION_FAILED if there are messages */
function refuse<T>(messages: Readonly<Record<string, string>>, otherwise: T): T {
  if (Object.keys(messages).length > 0) throw validationFailed(messages);
  return otherwise;
}

/** @throws ServiceError PREREQUISITE_MISSING without any link of the Site; CONFLICT without one to these articles */
async function requireBacklinks(
  tx: Transaction,
  siteId: string,
  articleIds: readonly string[] | undefined,
): Promise<number> {
  const links = await countBacklinks(tx, siteId, articleIds);
  if (links > 0) return links;
  if (articleIds === undefined || (await countBacklinks(tx, siteId, undefined)) === 0) {
    const message = `No link from another site has been imported yet. Import some first: ${IMPORT}.`;
    throw new ServiceError('PREREQUISITE_MISSING', message);
  }
  throw conflict('There is nothing to do: no imported link leads to these articles.');
}

const pagesLeft = ({ most_counted: most, counted }: Scan): number | null =>
  most === null ? null : Math.max(0, most - counted);
