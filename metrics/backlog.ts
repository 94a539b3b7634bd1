import { Gauge } from 'prom-client';
import type { Database } from '../db/database.ts';
import { outboxAge } from '../db/outbox.ts';
import { overdueSchedules } from '../domain/articles/schedule.ts';
import type { Clock } from '../domain/clock.ts';
import { overdueDeliveries } from '../domain/webhooks/queue.ts';
import { reading } from './reading.ts';

/**
 * What waits in the database, as every process sees it: read when scraped, by statements that look at what waits and
 * nothing else. Each process shows it, so that one that has died hides nothing.
 */
export const backlogReadings = (db: Database, clock: Clock): readonly (() => Promise<void>)[] => [
  backlog('outbox', () => outboxAge(db, clock.now()), {
    waiting: 'Messages that are due, or were put off after they could not be handed over; at most 10,000.',
    oldest_seconds: 'How long ago the oldest of these messages was left.',
    failing: 'How many of these messages were refused five times or more.',
  }),
  backlog('webhook_queue', () => overdueDeliveries(db, clock.now()), {
    waiting: 'Deliveries that are due and not under way, to endpoints that take them; at most 10,000.',
    oldest_seconds: 'How long the first of these deliveries has been due.',
  }),
  backlog('overdue_schedules', () => overdueSchedules(db, clock.now()), {
    waiting: 'Articles whose time has come and that are not published; at most 10,000.',
    oldest_seconds: 'How long ago the first of these articles should have been published.',
  }),
];

/** @param figures what each figure that is read tells: the gauges that show it */
function backlog<Figure extends string>(
  name: string,
  read: () => Promise<Readonly<Record<Figure, number>>>,
  figures: Readonly<Record<Figure, string>>,
): () => Promise<void> {
  const gauges = Object.entries<string>(figures).map(
    ([figure, help]) => [figure as Figure, new Gauge({ name: `presswork_${name}_${figure}`, help })] as const,
  );
  return reading({
    name,
    read,
    show: (found) => gauges.forEach(([figure, gauge]) => gauge.set(found[figure])),
    hide: () => gauges.forEach(([, gauge]) => gauge.remove()),
  });
}
