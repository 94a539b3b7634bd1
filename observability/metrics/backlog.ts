import { Gauge } from '@prometheus-io/client';
import type { Database } from '../../db/database.ts';
import { outboxAge } from '../../db/outbox.ts';
import { overdueSchedules } from '../../domain/publication/schedule.ts';
import type { Clock } from '../../domain/kernel/clock.ts';
import { unfinishedDeletions } from '../../domain/leaving/deletion.ts';
import { searchBacklog } from '../../domain/search/index-articles.ts';
import { overdueDeliveries } from '../../domain/webhooks/overdue.ts';
import { pausedEndpoints } from '../../domain/webhooks/support.ts';
import { reading } from './reading.ts';

type Reading = () => Promise<void>;

const outbox = backlog('outbox', {
  waiting: 'Messages that are due or postponed after a failed attempt; at most 10,000.',
  oldest_seconds: 'Age of the oldest of these messages.',
  failing: 'Messages that were refused five times or more.',
});
const webhookQueue = backlog('webhook_queue', {
  waiting: 'Due deliveries that are not in flight, to enabled endpoints; at most 10,000.',
  oldest_seconds: 'How long the oldest of these deliveries has been due.',
});
const webhookEndpointsPaused = backlog('webhook_endpoints_paused', {
  waiting: 'Endpoints that an operator has paused.',
  oldest_seconds: 'How long the first of them has been paused.',
});
const deletions = backlog('deletions', {
  waiting: 'Deletions of Sites and organisations that have not finished.',
  oldest_seconds: 'How long ago the first of these deletions was asked for.',
});
const schedules = backlog('overdue_schedules', {
  waiting: 'Due articles that are not published yet; at most 10,000.',
  oldest_seconds: 'How overdue the first of these articles is.',
});
const searchIndex = backlog('search_index', {
  waiting: 'Articles that a search reads because they are not in its index yet; at most 10,000.',
  oldest_seconds: 'How long ago the first of these articles was changed.',
});

/**
 * Waiting work of the database, read at each scrape by statements that only touch waiting rows. Every process exposes it,
 * so that a dead one hides nothing.
 */
export const backlogReadings = (db: Database, clock: Clock): readonly Reading[] => [
  outbox(() => outboxAge(db, clock.now())),
  webhookQueue(() => overdueDeliveries(db, clock.now())),
  webhookEndpointsPaused(() => pausedEndpoints(db, clock.now())),
  deletions(() => unfinishedDeletions(db, clock.now())),
  schedules(() => overdueSchedules(db, clock.now())),
  searchIndex(() => searchBacklog(db, clock.now())),
];

/**
 * Declares the gauges of waiting work, each with its help text.
 *
 * @returns how its reading is made of a function that reads their figures
 */
function backlog<Figure extends string>(
  name: string,
  figures: Readonly<Record<Figure, string>>,
): (read: () => Promise<Readonly<Record<Figure, number>>>) => Reading {
  const gauges = Object.entries<string>(figures).map(
    ([figure, help]) => [figure as Figure, new Gauge({ name: `presswork_${name}_${figure}`, help })] as const,
  );
  return (read) =>
    reading({
      name,
      read,
      show: (found) => gauges.forEach(([figure, gauge]) => gauge.set(found[figure])),
      hide: () => gauges.forEach(([, gauge]) => gauge.remove()),
    });
}
