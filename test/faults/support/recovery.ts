import { randomUUID } from 'node:crypto';
import { availableParallelism, loadavg } from 'node:os';
import type { Database } from '../../../db/database.ts';
import { until } from '../../../tools/dev/processes.ts';
import type { Client } from './client.ts';
import { scheduleSoon } from './load.ts';
import type { Load } from './load.ts';
import type { LiveReceiver } from './receivers.ts';

/** The parts of the stack that have to work again. */
interface Proving {
  readonly prober: Client;
  readonly load: Load;
  readonly db: Database;
  readonly receivers: readonly LiveReceiver[];
  readonly categoryId: string;
}

/** The time in which the product has to recover by itself after a fault. */
const RECOVERY_MS = 30_000;

/** The same for this machine now: longer in proportion to its load per core. */
const allowedMs = (): number => RECOVERY_MS * Math.max(1, (loadavg()[0] ?? 0) / availableParallelism());
const DUE_IN_MS = 1_000;

/**
 * Waits until a read, a write, a scheduled publication and its delivery work again.
 *
 * @returns the duration, in milliseconds
 * @throws Error naming what does not work in time
 */
export async function recovery(stack: Proving): Promise<number> {
  const { prober, load, db, receivers } = stack;
  const begun = Date.now();
  const allowed = allowedMs();
  const left = (): number => Math.max(1, begun + allowed - Date.now());
  await prober.send('GET', '/articles?limit=1', { answers: [200] }, left());
  const title = `Proof ${randomUUID()}`;
  const content = 'Text.';
  const body = { title, content, external_id: title, category_id: stack.categoryId };
  const created = await prober.send('POST', '/articles', { body, idempotent: true, answers: [201] }, left());
  const { id, slug } = created.data;
  const dueAt = await scheduleSoon(prober, id, DUE_IN_MS, left());
  load.promises.articles.set(id, {
    externalId: title,
    title,
    slug,
    content,
    state: 'published',
    dueAt,
    later: true,
  });
  const arrived = async (): Promise<boolean> => {
    // The database may have been killed just now; the time of the proof goes on.
    const { rows } = await db.pool
      .query<{ id: string }>(
        `select id from events where event = 'article.published' and body::jsonb -> 'data' ->> 'id' = $1`,
        [id],
      )
      .catch(() => ({ rows: [] }));
    return rows.some((event) => receivers.some(({ events }) => events.has(event.id)));
  };
  if (!(await until(arrived, left(), 50)))
    throw new Error(`The proof was not published and delivered within ${allowed} ms`);
  return Date.now() - begun;
}
