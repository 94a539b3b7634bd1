import { Gauge } from 'prom-client';
import type { Database } from '../db/database.ts';
import { outboxAge } from '../db/outbox.ts';
import { overdueSchedules } from '../domain/articles/schedule.ts';
import type { Clock } from '../domain/clock.ts';
import { overdueDeliveries } from '../domain/webhooks/queue.ts';
import { reading } from './reading.ts';

/** How much waits, and for how long the first of it has. */
interface Backlog {
  readonly waiting: number;
  readonly oldest_seconds: number;
}

/**
 * What waits in the database, as every process sees it: read when scraped, by statements that look at what waits and
 * nothing else. Each process shows it, so that one that has died hides nothing.
 */
export const backlogReadings = (db: Database, clock: Clock): readonly (() => Promise<void>)[] => [
  backlog('outbox', 'messages of the outbox that are not handed over to Temporal', () =>
    outboxAge(db, clock.now()),
  ),
  backlog('webhook_queue', 'deliveries that are due, to endpoints that take them, and not under way', () =>
    overdueDeliveries(db, clock.now()),
  ),
  backlog('overdue_schedules', 'articles whose time has come and that are not published', () =>
    overdueSchedules(db, clock.now()),
  ),
];

function backlog(name: string, what: string, read: () => Promise<Backlog>): () => Promise<void> {
  const waiting = new Gauge({ name: `presswork_${name}_waiting`, help: `How many ${what}; at most 10,000.` });
  const oldest = new Gauge({
    name: `presswork_${name}_oldest_seconds`,
    help: `How long the first has waited: ${what}.`,
  });
  return reading({
    name,
    read,
    show: (found) => {
      waiting.set(found.waiting);
      oldest.set(found.oldest_seconds);
    },
    hide: () => {
      waiting.remove();
      oldest.remove();
    },
  });
}
