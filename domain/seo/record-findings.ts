import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import { array, at, sql, statement } from '../../db/sql.ts';
import { newId } from '../kernel/ids.ts';
import { fingerprintOf } from './fingerprint.ts';
import { severities, severityOf } from './rules.ts';
import type { ScanKindName, Severity } from './rules.ts';
import type { Examination, Fault } from './scan-kind.ts';
import { storableJson, storableText } from '../kernel/storable.ts';

/** A scan, for its findings. */
interface Finder {
  readonly id: string;
  readonly site_id: string;
  readonly kind: ScanKindName;
}

const recordedRow = z.object({ severity: z.enum(severities), again: z.boolean() });

/** How many faults of each severity a scan found that it had not found before. */
export type Found = Readonly<Record<Severity, number>>;

/**
 * Records what a scan found: a known fault stays the same finding, and a fixed one is open again. Faults of what was
 * looked at that were not found this time are fixed, except dismissed ones.
 */
export async function recordFindings(
  tx: Transaction,
  scan: Finder,
  { faults, lookedAt }: Pick<Examination, 'faults' | 'lookedAt'>,
  now: Date,
): Promise<Found> {
  const found = { error: 0, warning: 0, notice: 0 };
  for (const { severity, again } of await writeFaults(tx, scan, faults, now))
    if (!again) found[severity] += 1;
  for (const { rules, subjects } of lookedAt) await markFixed(tx, scan, rules, subjects, now);
  return found;
}

async function writeFaults(tx: Transaction, scan: Finder, faults: readonly Fault[], now: Date) {
  if (faults.length === 0) return [];
  const { id: scanId, site_id: siteId, kind } = scan;
  const rows = distinct(faults).map(({ fingerprint, fault }) => ({
    id: newId(),
    rule: fault.rule,
    severity: severityOf(kind, fault.rule),
    fingerprint,
    subject: fingerprintOf(fault.subject),
    url: fault.url === null ? null : storableText(fault.url),
    article_id: fault.articleId,
    evidence: bounded(fault.evidence),
  }));
  return tx.any(sql.type(recordedRow)`
    with new as (
      select * from jsonb_to_recordset(${storableJson(rows)}::jsonb) as n (
        id uuid, rule text, severity text, fingerprint text, subject text, url text, article_id uuid, evidence jsonb
      )
    ), known as (
      select f.rule, f.fingerprint from seo_findings f join new using (rule, fingerprint)
      where f.site_id = ${siteId} and f.kind = ${kind} and f.scan_id = ${scanId}
    ), written as (
      insert into seo_findings as f (
        id, site_id, kind, rule, severity, fingerprint, subject, status, url, article_id, evidence, scan_id, first_seen_at,
        last_seen_at
      )
      select n.id, ${siteId}::uuid, ${kind}::text, n.rule, n.severity, n.fingerprint, n.subject, 'open', n.url, n.article_id,
        n.evidence, ${scanId}::uuid, ${at(now)}::timestamptz, ${at(now)}::timestamptz
      from new n order by n.rule, n.fingerprint
      on conflict on constraint seo_findings_fault_key do update set
        severity = excluded.severity, subject = excluded.subject, url = excluded.url, article_id = excluded.article_id,
        evidence = excluded.evidence, scan_id = excluded.scan_id, last_seen_at = excluded.last_seen_at, fixed_at = null,
        status = case f.status when 'fixed' then 'open' else f.status end
      returning f.rule, f.fingerprint, f.severity
    )
    select w.severity, k.rule is not null as again from written w left join known k using (rule, fingerprint)`);
}

/** The most characters of an evidence as JSON; a longer one says nothing that a person could read. */
const EVIDENCE_LENGTH = 16_000;

const bounded = (evidence: Fault['evidence']): Fault['evidence'] =>
  storableJson(evidence).length > EVIDENCE_LENGTH ? { too_long: true } : evidence;

/** Each fault once, the last as it was found last. */
function distinct(faults: readonly Fault[]): readonly { fingerprint: string; fault: Fault }[] {
  const known = new Map<string, { fingerprint: string; fault: Fault }>();
  for (const fault of faults) {
    const fingerprint = fingerprintOf(fault.key ?? fault.subject);
    known.set(`${fault.rule} ${fingerprint}`, { fingerprint, fault });
  }
  return [...known.values()];
}

async function markFixed(
  tx: Transaction,
  { id, site_id: siteId, kind }: Finder,
  rules: readonly string[],
  subjects: readonly string[],
  now: Date,
): Promise<void> {
  await tx.exec(statement`
    update seo_findings set status = 'fixed', fixed_at = greatest(${at(now)}::timestamptz, last_seen_at)
    where site_id = ${siteId} and kind = ${kind} and status = 'open' and scan_id <> ${id}
      and rule = any(${array(rules, 'text')}) and subject = any(${array(subjects.map(fingerprintOf), 'text')})`);
}

/** Marks faults of articles that have been deleted as fixed. */
export async function fixFaultsOfDeleted(tx: Transaction, siteId: string, now: Date): Promise<void> {
  await tx.exec(statement`
    update seo_findings f set status = 'fixed', fixed_at = greatest(${at(now)}::timestamptz, last_seen_at)
    where f.site_id = ${siteId} and f.status = 'open' and f.article_id is not null
      and not exists (select from articles a where a.id = f.article_id)`);
}
