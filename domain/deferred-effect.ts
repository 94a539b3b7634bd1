import { z } from 'zod';
import type { Database } from '../db/database.ts';
import type { Effects } from '../db/effects.ts';
import { postponed } from '../db/outbox.ts';
import { at, sql, statement } from '../db/sql.ts';
import type { FragmentSqlToken } from '../db/sql.ts';
import type { Queryable } from '../db/statements.ts';
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
 * @param table keeps them until they are done: `id`, `site_id`, `outbox_id`, `created_at` and `column`
 * @param column holds the target, which is what the effect is performed on
 * @param message to the workflow
 */
export const deferredEffect = <Target>(
  table: FragmentSqlToken,
  column: FragmentSqlToken,
  target: z.ZodType<Target>,
  message: (id: string, siteId: string) => WorkflowMessage,
) => {
  const targetRow = z.object({ target });

  /** Deletes the row of a completed effect, and the message that would start its workflow. */
  const complete = (db: Queryable, id: string): Promise<number> =>
    db.exec(statement`
      with done as (delete from ${table} where id = ${id} returning outbox_id)
      delete from outbox o using done where o.id = done.outbox_id`);

  return {
    /**
     * Leaves an effect to follow from a change.
     *
     * @param value the target
     * @param perform returns whether it succeeded, or rejects if not; null leaves it to the workflow
     */
    defer(
      { tx, db, siteId, now }: { tx: Effects; db: Database; siteId: string; now: Date },
      value: FragmentSqlToken,
      perform: ((timeoutMs: number) => Promise<boolean>) | null,
    ): void {
      const id = newId();
      const due = perform === null ? now : new Date(now.getTime() + HAND_OVER_MS);
      tx.add(
        (_, messages) => sql.fragment`
          insert into ${table} (id, site_id, ${column}, outbox_id, created_at)
          select ${id}::uuid, ${siteId}::uuid, ${value}, m.id, ${at(now)}::timestamptz from ${messages} m`,
        { after: (when) => postponed(message(id, siteId), now, due, when) },
      );
      if (perform === null) return tx.notify('presswork_outbox', siteId);
      tx.afterCommit(async () => {
        // On an error, also of the database, the workflow performs it.
        const done = await perform(REQUEST_TIMEOUT_MS).catch(() => false);
        if (done) await complete(db, id).catch(() => {});
      });
    },

    /** Performs an effect if it is pending. As safe to run twice as `perform` is. */
    async perform(db: Queryable, id: string, perform: (target: Target) => Promise<void>): Promise<void> {
      const pending = await db.maybeOne(sql.type(targetRow)`
        select ${column} as target from ${table} where id = ${id}`);
      if (pending === null) return;
      await perform(pending.target);
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
