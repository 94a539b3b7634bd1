import { z } from 'zod';
import type { Queryable } from '../../db/statements.ts';
import { at, columnsOf, sql, statement, timestamp } from '../../db/sql.ts';

const deletionRow = z.object({
  target_id: z.string(),
  kind: z.enum(['site', 'organisation']),
  organisation_id: z.string(),
  asked_at: timestamp,
  asked_by: z.string(),
  quiet_at: timestamp,
  finished_at: timestamp.nullable(),
  deleted: z.record(z.string(), z.number()),
});

/** The deletion of a Site or an organisation: the request, its progress, and finally the receipt. */
export type Deletion = z.infer<typeof deletionRow>;

const columns = columnsOf(deletionRow, 'd');

/** The deletion of a Site or an organisation, if it was asked for. */
export const findDeletion = (db: Queryable, targetId: string): Promise<Deletion | null> =>
  db.maybeOne(sql.type(deletionRow)`select ${columns} from deletions d where d.target_id = ${targetId}`);

/** The deletions of an organisation's Sites, in the order of their requests. */
export const listSiteDeletions = (db: Queryable, organisationId: string): Promise<readonly Deletion[]> =>
  db.any(sql.type(deletionRow)`
    select ${columns} from deletions d where d.organisation_id = ${organisationId} and d.kind = 'site'
    order by d.asked_at, d.target_id`);

/** Adds to the deleted rows of the receipt. @param what a table, `objects` or `workflows` */
export async function countDeleted(
  db: Queryable,
  targetId: string,
  what: string,
  count: number,
): Promise<void> {
  if (count === 0) return;
  await db.exec(statement`
    update deletions
    set deleted = deleted || jsonb_build_object(${what}::text, coalesce((deleted ->> ${what}::text)::bigint, 0) + ${count}::bigint)
    where target_id = ${targetId}`);
}

const unfinishedFigures = z.object({ waiting: z.number(), oldest_seconds: z.number() });

/** How many deletions have not finished, and how long ago the first of them was asked for. */
export const unfinishedDeletions = (db: Queryable, now: Date): Promise<z.infer<typeof unfinishedFigures>> =>
  db.one(sql.type(unfinishedFigures)`
    select count(*)::int as waiting,
      coalesce(extract(epoch from ${at(now)}::timestamptz - min(asked_at)), 0)::float8 as oldest_seconds
    from deletions where finished_at is null`);
