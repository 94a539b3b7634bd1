import { z } from 'zod';
import type { Queryable } from '../../db/statements.ts';
import { array, columnsOf, sql, timestamp } from '../../db/sql.ts';
import type { Site } from '../kernel/site.ts';
import { byId, readPage } from '../kernel/page.ts';
import type { Page, PageRequest } from '../kernel/page.ts';
import { siteObject } from '../kernel/site-object.ts';
import { ruleNames, scanKinds, severities } from './rules.ts';
import type { Rule, ScanKindName, Severity } from './rules.ts';

export const findingStatuses = ['open', 'dismissed', 'fixed'] as const;

export type FindingStatus = (typeof findingStatuses)[number];

const findingRow = z.object({
  id: z.string(),
  kind: z.enum(scanKinds),
  rule: z.enum(ruleNames),
  severity: z.enum(severities),
  status: z.enum(findingStatuses),
  url: z.string().nullable(),
  article_id: z.string().nullable(),
  evidence: z.record(z.string(), z.unknown()),
  first_seen_at: timestamp,
  last_seen_at: timestamp,
  fixed_at: timestamp.nullable(),
});

/** A fault of a Site, with its history (docs/spec/rulings.md, 19, Findings). */
export type Finding = z.infer<typeof findingRow>;

export const findingColumns = columnsOf(findingRow, 'f');

export const { get: getFinding, getForUpdate: getFindingForUpdate } = siteObject({
  row: findingRow,
  columns: findingColumns,
  from: sql.fragment`seo_findings f`,
  noun: 'finding',
});

export interface FindingFilters {
  readonly kind?: ScanKindName | undefined;
  readonly rule?: Rule | undefined;
  readonly severity?: Severity | undefined;
  readonly status?: readonly FindingStatus[] | undefined;
  readonly article_id?: string | undefined;
}

const newest = byId('f', 'desc');

/** A page of a Site's findings, newest first. */
export function listFindings(
  db: Queryable,
  site: Site,
  { cursor, limit, ...filters }: PageRequest & FindingFilters,
): Promise<Page<Finding>> {
  const { kind, rule, severity, status, article_id: articleId } = filters;
  const conditions = [
    sql.fragment`f.site_id = ${site.id}`,
    ...(kind === undefined ? [] : [sql.fragment`f.kind = ${kind}`]),
    ...(rule === undefined ? [] : [sql.fragment`f.rule = ${rule}`]),
    ...(severity === undefined ? [] : [sql.fragment`f.severity = ${severity}`]),
    ...(status === undefined ? [] : [sql.fragment`f.status = any(${array(status, 'text')})`]),
    ...(articleId === undefined ? [] : [sql.fragment`f.article_id = ${articleId}`]),
  ];
  const query = `seo/findings?${JSON.stringify([kind, rule, severity, status?.toSorted(), articleId])}`;
  return readPage(site, query, { cursor, limit }, newest, ({ after, order }, count) =>
    db.any(sql.type(findingRow)`
      select ${findingColumns} from seo_findings f
      where ${sql.join(conditions, sql.fragment` and `)} and ${after} order by ${order} limit ${count}`),
  );
}

/** A finding as the API shows it. */
export const presentFinding = (finding: Finding) => ({
  id: finding.id,
  kind: finding.kind,
  rule: finding.rule,
  severity: finding.severity,
  status: finding.status,
  url: finding.url,
  article_id: finding.article_id,
  evidence: finding.evidence,
  first_seen_at: finding.first_seen_at.toISOString(),
  last_seen_at: finding.last_seen_at.toISOString(),
  fixed_at: finding.fixed_at?.toISOString() ?? null,
});
