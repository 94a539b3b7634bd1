import { Gauge } from '@prometheus-io/client';
import type { Database } from '../../db/database.ts';
import { outboxAge } from '../../db/outbox.ts';
import { overdueSchedules } from '../../domain/articles/schedule.ts';
import type { Clock } from '../../domain/clock.ts';
import { unfinishedDeletions } from '../../domain/leaving/deletion.ts';
import { searchBacklog } from '../../domain/search/index-articles.ts';
import { overdueDeliveries } from '../../domain/webhooks/overdue.ts';
import { pausedEndpoints } from '../../domain/webhooks/support.ts';
import { reading } from './reading.ts';

/**
 * What waits in the database, read at each scrape by statements that only touch waiting rows. Every process exposes it,
 * so that a dead one hides nothing.
 */
export const backlogReadings = (db: Database, clock: Clock): readonly (() => Promise<void>)[] => [
  backlog('outbox', () => outboxAge(db, clock.now()), {
    waiting: 'Messages that are due or postponed after a failed attempt; at most 10,000.',
    oldest_seconds: 'Age of the oldest of these messages.',
    failing: 'Messages that were refused five times or more.',
  }),
  backlog('webhook_queue', () => overdueDeliveries(db, clock.now()), {
    waiting: 'Due deliveries that are not in flight, to enabled endpoints; at most 10,000.',
    oldest_seconds: 'How long the oldest of these deliveries has been due.',
  }),
  backlog('webhook_endpoints_paused', () => pausedEndpoints(db, clock.now()), {
    waiting: 'Endpoints that an operator has paused.',
    oldest_seconds: 'How long the first of them has been paused.',
  }),
  backlog('deletions', () => unfinishedDeletions(db, clock.now()), {
    waiting: 'Deletions of Sites and organisations that have not finished.',
    oldest_seconds: 'How long ago the first of these deletions was asked for.',
  }),
  backlog('overdue_schedules', () => overdueSchedules(db, clock.now()), {
    waiting: 'Due articles that are not published yet; at most 10,000.',
    oldest_seconds: 'How overdue the first of these articles is.',
  }),
  backlog('search_index', () => searchBacklog(db, clock.now()), {
    waiting: 'Articles that a search reads because they are not in its index yet; at most 10,000.',
    oldest_seconds: 'How long ago the first of these articles was changed.',
  }),
];

/** @param figures the help text of each figure's gauge */
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
