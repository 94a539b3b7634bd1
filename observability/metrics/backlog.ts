import { Gauge } from '@prometheus-io/client';
import { reading } from './reading.ts';

/** Waiting work, with the help text of each of its figures. */
const backlogs = {
  outbox: {
    waiting: 'Messages that are due or postponed after a failed attempt; at most 10,000.',
    oldest_seconds: 'Age of the oldest of these messages.',
    failing: 'Messages that were refused five times or more.',
  },
  webhook_queue: {
    waiting: 'Due deliveries that are not in flight, to enabled endpoints; at most 10,000.',
    oldest_seconds: 'How long the oldest of these deliveries has been due.',
  },
  webhook_endpoints_paused: {
    waiting: 'Endpoints that an operator has paused.',
    oldest_seconds: 'How long the first of them has been paused.',
  },
  deletions: {
    waiting: 'Deletions of Sites and organisations that have not finished.',
    oldest_seconds: 'How long ago the first of these deletions was asked for.',
  },
  overdue_schedules: {
    waiting: 'Due articles that are not published yet; at most 10,000.',
    oldest_seconds: 'How overdue the first of these articles is.',
  },
  search_index: {
    waiting: 'Articles that a search reads because they are not in its index yet; at most 10,000.',
    oldest_seconds: 'How long ago the first of these articles was changed.',
  },
};

/** Reads the figures of each. */
export type Backlog = {
  readonly [Name in keyof typeof backlogs]: () => Promise<Record<keyof (typeof backlogs)[Name], number>>;
};

const gauges = Object.entries(backlogs).map(([name, figures]) => ({
  name: name as keyof Backlog,
  figures: Object.entries(figures).map(([figure, help]) => ({
    figure,
    gauge: new Gauge({ name: `presswork_${name}_${figure}`, help }),
  })),
}));

/** Waiting work, read at each scrape. Every process exposes it, so that a dead one hides nothing. */
export const backlogReadings = (backlog: Backlog): readonly (() => Promise<void>)[] =>
  gauges.map(({ name, figures }) =>
    reading<Readonly<Record<string, number>>>({
      name,
      read: backlog[name],
      show: (found) => figures.forEach(({ figure, gauge }) => gauge.set(found[figure] as number)),
      hide: () => figures.forEach(({ gauge }) => gauge.remove()),
    }),
  );
