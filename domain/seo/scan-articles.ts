import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import type { Queryable } from '../../db/statements.ts';
import { array, sql } from '../../db/sql.ts';
import type { FragmentSqlToken } from '../../db/sql.ts';
import type { FieldMessages } from '../../packages/base/mistakes.ts';
import type { ScanKindName } from './rules.ts';
import type { NewTarget, Planned, ScanWork } from './scan-kind.ts';

const idRow = z.object({ id: z.string() });
const countRow = z.object({ count: z.number() });

/** Which of a Site's articles a scan may take: those whose pages it fetches have to be published. */
const usable = (siteId: string, kind: ScanKindName, ids: readonly string[] | undefined): FragmentSqlToken => {
  const published = sql.fragment`a.status = 'published'`;
  const named = ids === undefined ? published : sql.fragment`a.id = any(${array(ids, 'uuid')})`;
  return sql.fragment`a.site_id = ${siteId} and ${named} and ${kind === 'structured-data' ? published : sql.fragment`true`}`;
};

/** @returns how many articles a scan takes */
export async function countScanArticles(
  tx: Transaction,
  siteId: string,
  kind: ScanKindName,
  ids: readonly string[] | undefined,
): Promise<number> {
  const { count } = await tx.one(sql.type(countRow)`
    select count(*)::int as count from articles a where ${usable(siteId, kind, ids)}`);
  return count;
}

/** @returns a message for each id that names no article that the scan can take */
export async function unusableArticles(
  tx: Transaction,
  siteId: string,
  kind: ScanKindName,
  ids: readonly string[],
): Promise<FieldMessages> {
  const rows = await tx.any(sql.type(idRow)`select a.id from articles a where ${usable(siteId, kind, ids)}`);
  const known = new Set(rows.map(({ id }) => id));
  const message =
    kind === 'structured-data'
      ? 'is not the id of a published article of this Site'
      : 'is not the id of an article of this Site';
  return Object.fromEntries(
    ids.flatMap((id, index) => (known.has(id) ? [] : [[`article_ids.${index}`, message]])),
  );
}

const PART = 1_000;

/** Plans a scan that examines articles: those that the request names, or all that are published. */
export async function planArticles(
  db: Queryable,
  kind: ScanKindName,
  { siteId, parameters }: Pick<ScanWork, 'siteId' | 'parameters'>,
  after: string | null,
): Promise<Planned> {
  const rows = await db.any(sql.type(idRow)`
    select a.id from articles a where ${usable(siteId, kind, parameters.article_ids)}
      and ${after === null ? sql.fragment`true` : sql.fragment`a.id > ${after}`}
    order by a.id limit ${PART}`);
  const targets = rows.map(({ id }): NewTarget => ({
    key: id,
    url: null,
    articleId: id,
    memo: {},
    examine: true,
  }));
  return { targets, next: rows.length < PART ? null : (rows.at(-1)?.id ?? null) };
}
