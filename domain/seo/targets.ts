import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import type { Queryable } from '../../db/statements.ts';
import { sql, statement } from '../../db/sql.ts';
import { fingerprintOf } from './fingerprint.ts';
import type { KnownTarget, Memo, NewTarget, Target } from './scan-kind.ts';
import { storableJson, storableText } from '../kernel/storable.ts';

/** The most targets of a scan; others are left out. */
export const TARGETS_LIMIT = 200_000;

const targetRow = z.object({
  key: z.string(),
  url: z.string().nullable(),
  article_id: z.string().nullable(),
  memo: z.record(z.string(), z.unknown()),
});

const targetOf = ({ article_id: articleId, ...target }: z.infer<typeof targetRow>): Target => ({
  ...target,
  articleId,
});

/** The next targets to examine, in their order. */
export async function nextTargets(tx: Transaction, scanId: string, count: number): Promise<Target[]> {
  const rows = await tx.any(sql.type(targetRow)`
    select key, url, article_id, memo from seo_scan_targets
    where scan_id = ${scanId} and state = 'waiting' order by position limit ${count}`);
  return rows.map(targetOf);
}

const addedRow = z.object({ added: z.number() });

/**
 * Writes targets down, in this order; those that are there already get the new members of the memo. The caller has
 * locked the scan, which counts its targets.
 *
 * @returns how many more wait to be examined
 */
export async function addTargets(
  tx: Transaction,
  scanId: string,
  targets: readonly NewTarget[],
): Promise<number> {
  if (targets.length === 0) return 0;
  const byFingerprint = new Map<string, NewTarget>();
  for (const target of targets) {
    const fingerprint = fingerprintOf(target.key);
    const known = byFingerprint.get(fingerprint);
    const memo = { ...known?.memo, ...target.memo };
    byFingerprint.set(fingerprint, { ...target, memo, examine: target.examine || (known?.examine ?? false) });
  }
  const rows = [...byFingerprint].map(([fingerprint, { key, url, articleId, memo, examine }], place) => ({
    place,
    fingerprint,
    key: storableText(key),
    url: url === null ? null : storableText(url),
    article_id: articleId,
    memo,
    state: examine ? 'waiting' : 'noted',
  }));
  const { added } = await tx.one(sql.type(addedRow)`
    with new as (
      select * from jsonb_to_recordset(${storableJson(rows)}::jsonb)
        as n (place int, fingerprint text, key text, url text, article_id uuid, memo jsonb, state text)
    ), raised as (
      update seo_scan_targets t set memo = t.memo || new.memo,
        state = case when t.state = 'noted' then new.state else t.state end
      from new join seo_scan_targets before on before.scan_id = ${scanId} and before.fingerprint = new.fingerprint
      where t.scan_id = ${scanId} and t.fingerprint = new.fingerprint
      returning (before.state = 'noted' and new.state = 'waiting') as raised
    ), added as (
      insert into seo_scan_targets (scan_id, fingerprint, key, url, article_id, memo, state)
      select ${scanId}::uuid, n.fingerprint, n.key, n.url, n.article_id, n.memo, n.state from new n
      where not exists (
        select from seo_scan_targets t where t.scan_id = ${scanId} and t.fingerprint = n.fingerprint
      )
      order by n.place
      limit greatest(0, ${TARGETS_LIMIT}::int - (select targets from seo_scans where id = ${scanId}))
      returning state
    ), counted as (
      update seo_scans set targets = targets + (select count(*) from added) where id = ${scanId}
    )
    select (
      (select count(*) from raised where raised) + (select count(*) from added where state = 'waiting')
    )::int as added`);
  return added;
}

const markedRow = z.object({ fingerprint: z.string() });

/** Marks targets as examined, with notes on them. @returns those that had not been examined yet */
export async function markExamined(
  tx: Transaction,
  scanId: string,
  targets: readonly Target[],
  memos: ReadonlyMap<string, Memo>,
): Promise<readonly Target[]> {
  const byFingerprint = new Map(targets.map((target) => [fingerprintOf(target.key), target]));
  const rows = [...byFingerprint].map(([fingerprint, { key }]) => ({
    fingerprint,
    memo: memos.get(key) ?? {},
  }));
  const marked = await tx.any(sql.type(markedRow)`
    update seo_scan_targets t set state = 'done', memo = t.memo || n.memo
    from jsonb_to_recordset(${storableJson(rows)}::jsonb) as n (fingerprint text, memo jsonb)
    where t.scan_id = ${scanId} and t.fingerprint = n.fingerprint and t.state = 'waiting'
    returning t.fingerprint`);
  return marked.flatMap(({ fingerprint }) => byFingerprint.get(fingerprint) ?? []);
}

/** Gives a scan the remaining targets of another one, and its knowledge. */
export async function takeOverTargets(tx: Transaction, fromId: string, toId: string): Promise<void> {
  const taken = await tx.exec(statement`
    insert into seo_scan_targets (scan_id, fingerprint, key, url, article_id, memo, state)
    select ${toId}::uuid, fingerprint, key, url, article_id, memo,
      case when state = 'done' then 'earlier' else state end
    from seo_scan_targets where scan_id = ${fromId} order by position`);
  await tx.exec(statement`update seo_scans set targets = ${taken} where id = ${toId}`);
}

const knownRow = targetRow.extend({ position: z.number(), state: z.string() });

/** Reads all targets of a scan, in parts. */
export async function* readTargets(db: Queryable, scanId: string): AsyncGenerator<KnownTarget> {
  const count = 500;
  let after = 0;
  for (;;) {
    const rows = await db.any(sql.type(knownRow)`
      select key, url, article_id, memo, position, state from seo_scan_targets
      where scan_id = ${scanId} and position > ${after} order by position limit ${count}`);
    for (const { position, state, ...row } of rows) {
      after = position;
      yield { ...targetOf(row), examined: state === 'done' || state === 'earlier' };
    }
    if (rows.length < count) return;
  }
}

/** Deletes targets of scans that ended long ago; these have nothing left to be resumed then. @returns how many */
export const deleteOldTargets = (tx: Transaction, until: Date, size: number): Promise<number> =>
  tx.exec(statement`
    with old as (
      select o.scan_id, o.position from seo_scans s join seo_scan_targets o on o.scan_id = s.id
      where s.finished_at <= ${until.toISOString()} limit ${size}
    ), left_behind as (
      update seo_scans set planned = true, targets_left = 0
      where id in (select scan_id from old) and (not planned or targets_left <> 0)
    )
    delete from seo_scan_targets where (scan_id, position) in (select scan_id, position from old)`);
