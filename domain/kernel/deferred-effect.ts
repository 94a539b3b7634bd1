import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import type { Effects } from '../../db/effects.ts';
import { postponed } from '../../db/outbox.ts';
import { at, sql, statement } from '../../db/sql.ts';
import type { FragmentSqlToken } from '../../db/sql.ts';
import type { Queryable } from '../../db/statements.ts';
import { newId } from './ids.ts';
import type { WorkflowMessage } from './workflow-messages.ts';

/** How long a request waits for an effect; its workflow takes over a little later (docs/spec/rulings.md, 4). */
const REQUEST_TIMEOUT_MS = 2_000;
const HAND_OVER_MS = 5_000;

const idRow = z.object({ id: z.string() });

/**
 * A kind of effects outside the database. A request performs one after its commit. If that fails, if the process dies
 * before, or if there is no request, its workflow performs it, and retries until it succeeds.
 *
 * @param stored `table` keeps them until they are done: `id`, `site_id`, `outbox_id`, `created_at` and `columns`, of
 *   which `target` is the object of the effect
 * @param message to the workflow
 */
export const deferredEffect = <Target>(
  {
    table,
    columns,
    target: stored,
  }: {
    readonly table: FragmentSqlToken;
    readonly columns: FragmentSqlToken;
    readonly target: FragmentSqlToken;
  },
  target: z.ZodType<Target>,
  message: (id: string, siteId: string) => WorkflowMessage,
) => {
  const targetRow = z.object({ target, site_id: z.string() });

  /** Deletes the row of a completed effect, and the message that would start its workflow. */
  const complete = (db: Queryable, id: string): Promise<number> =>
    db.exec(statement`
      with done as (delete from ${table} where id = ${id} returning outbox_id)
      delete from outbox o using done where o.id = done.outbox_id`);

  return {
    /**
     * Leaves an effect to follow from a change.
     *
     * @param values of the columns
     * @param perform returns whether it succeeded, or rejects if not; null leaves it to the workflow
     * @param notBefore when the workflow may begin
     */
    defer(
      { tx, db, siteId, now }: { tx: Effects; db: Database; siteId: string; now: Date },
      values: FragmentSqlToken,
      perform: ((target: Target, timeoutMs: number) => Promise<boolean>) | null,
      notBefore = now,
    ): void {
      const id = newId();
      const due = perform === null ? notBefore : new Date(now.getTime() + HAND_OVER_MS);
      const saved: Target[] = [];
      tx.add<{ readonly target: Target }>(
        (_, messages) => sql.fragment`
          insert into ${table} (id, site_id, ${columns}, outbox_id, created_at)
          select ${id}::uuid, ${siteId}::uuid, ${values}, m.id, ${at(now)}::timestamptz from ${messages} m
          returning ${stored} as target`,
        {
          after: (when) => postponed(message(id, siteId), now, due, when),
          read: (rows) => saved.push(...rows.map((row) => row.target)),
        },
      );
      if (perform === null) return tx.notify('presswork_outbox', siteId);
      tx.afterCommit(async () => {
        // On an error, also of the database, the workflow performs it.
        const [value] = saved;
        const done = value !== undefined && (await perform(value, REQUEST_TIMEOUT_MS).catch(() => false));
        if (done) await complete(db, id).catch(() => {});
      });
    },

    /** Performs an effect if it is pending. As safe to run twice as `perform` is. */
    async perform(
      db: Queryable,
      id: string,
      perform: (target: Target, siteId: string) => Promise<void>,
    ): Promise<void> {
      const pending = await db.maybeOne(sql.type(targetRow)`
        select ${stored} as target, site_id from ${table} where id = ${id}`);
      if (pending === null) return;
      await perform(pending.target, pending.site_id);
      await complete(db, id);
    },

    /** Effects that have been pending for long, because their workflow was lost. */
    async findOverdue(db: Queryable, before: Date, count: number): Promise<string[]> {
      const rows = await db.any(sql.type(idRow)`
        select id from ${table} where created_at <= ${at(before)} order by created_at, id limit ${count}`);
      return rows.map(({ id }) => id);
    },
  };
};
