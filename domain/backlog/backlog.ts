import type { Database } from '../../db/database.ts';
import { outboxAge } from '../../db/outbox.ts';
import type { Clock } from '../kernel/clock.ts';
import { unfinishedDeletions } from '../leaving/deletion.ts';
import { overdueSchedules } from '../publication/schedule.ts';
import { searchBacklog } from '../search/index-articles.ts';
import { overdueDeliveries } from '../webhooks/overdue.ts';
import { pausedEndpoints } from '../webhooks/support.ts';

/** Reads the work that waits in the database, by the names of its metrics. Each statement only touches waiting rows. */
export const backlogOf = (db: Database, clock: Clock) => ({
  outbox: () => outboxAge(db, clock.now()),
  webhook_queue: () => overdueDeliveries(db, clock.now()),
  webhook_endpoints_paused: () => pausedEndpoints(db, clock.now()),
  deletions: () => unfinishedDeletions(db, clock.now()),
  overdue_schedules: () => overdueSchedules(db, clock.now()),
  search_index: () => searchBacklog(db, clock.now()),
});
