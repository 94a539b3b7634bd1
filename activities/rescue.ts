import { rescueOverdueSchedules } from '../domain/publication/schedule.ts';
import { rescueAutopilots } from '../domain/autopilot/schedule.ts';
import { rescueBulkJobs } from '../domain/bulk/end.ts';
import { rescueChannels } from '../domain/notifications/channel-messages.ts';
import { rescueMessages } from '../domain/notifications/mails.ts';
import { rescuePushes } from '../domain/cms/queue.ts';
import { rescueOverdueEdits } from '../domain/pending-edits/schedule.ts';
import { rescueRuns } from '../domain/pipeline/run-lifecycle.ts';
import { rescueScans } from '../domain/seo/scan-lifecycle.ts';
import { rescueEvents } from '../domain/billing/event.ts';
import { rescueGraces } from '../domain/billing/subscription.ts';
import { rescueTopUps } from '../domain/billing/top-up.ts';
import { repaired } from '../observability/metrics/repairs.ts';
import type { Ports } from './ports.ts';

/** How late a schedule may be before it counts as lost. */
const GRACE_MS = 15_000;
/** How long nobody may look at a bulk job before it counts as lost: its workflow looks three times a minute. */
const JOB_GRACE_MS = 60_000;
/** How long a run or a scan may wait to start before it counts as lost. */
const RUN_GRACE_MS = 60_000;
/** How long work on payments may be overdue. A payment provider that cannot be reached for minutes is not a defect. */
const BILLING_GRACE_MS = 15 * 60_000;
/** How long a push may be overdue before it counts as lost: the Site may have many others before it. */
const PUSH_GRACE_MS = 5 * 60_000;
/** How late a mail, or a message to a channel, may be before it counts as lost: many may wait for a server. */
const MAIL_GRACE_MS = 5 * 60_000;
/** How long a Schedule may differ from its settings before these count as lost. */
const AUTOPILOT_GRACE_MS = 60_000;

/** Starts workflows that are missing. Each returns how many; above zero means a defect or a recent outage. */
export const createRescueActivities = ({ db, clock, log }: Pick<Ports, 'db' | 'clock' | 'log'>) => ({
  /** Starts or wakes the workflows of overdue articles and pending edits. */
  async rescueOverdueSchedules(): Promise<number> {
    const rescued = await db.transaction(
      async (tx) =>
        (await rescueOverdueSchedules(tx, clock.now(), GRACE_MS)) +
        (await rescueOverdueEdits(tx, clock.now(), GRACE_MS)),
    );
    repaired('schedule', rescued);
    if (rescued > 0) log.warn({ rescued }, 'overdue schedules have been started again');
    return rescued;
  },

  /**
   * Starts the workflows of runs and scans that never began, of bulk jobs that nobody works on, of Schedules that are
   * behind, of payments left undone, of pushes, mails and channels.
   */
  async rescueQueuedRuns(): Promise<number> {
    const rescued = await db.transaction((tx) => rescueRuns(tx, clock.now(), RUN_GRACE_MS));
    repaired('run', rescued);
    if (rescued > 0) log.warn({ rescued }, 'runs that had not started have been started again');
    const jobs = await db.transaction((tx) => rescueBulkJobs(tx, clock.now(), JOB_GRACE_MS));
    repaired('bulk_job', jobs);
    if (jobs > 0) log.warn({ rescued: jobs }, 'bulk jobs that stood still have been started again');
    const scans = await db.transaction((tx) => rescueScans(tx, clock.now(), RUN_GRACE_MS));
    repaired('scan', scans);
    if (scans > 0) log.warn({ rescued: scans }, 'scans that stood still have been started again');
    const bills = await db.transaction(
      async (tx) =>
        (await rescueEvents(tx, clock.now(), BILLING_GRACE_MS)) +
        (await rescueTopUps(tx, clock.now(), BILLING_GRACE_MS)) +
        (await rescueGraces(tx, clock.now(), BILLING_GRACE_MS)),
    );
    repaired('billing', bills);
    if (bills > 0) log.warn({ rescued: bills }, 'work on payments that stood still has been started again');
    const autopilots = await db.transaction((tx) => rescueAutopilots(tx, clock.now(), AUTOPILOT_GRACE_MS));
    repaired('autopilot', autopilots);
    if (autopilots > 0)
      log.warn({ rescued: autopilots }, 'Schedules of the autopilot did not follow their settings');
    const pushes = await db.transaction((tx) => rescuePushes(tx, clock.now(), PUSH_GRACE_MS));
    repaired('push', pushes);
    if (pushes > 0) log.warn({ rescued: pushes }, 'pushes that stood still have been started again');
    const mails = await db.transaction((tx) => rescueMessages(tx, clock.now(), MAIL_GRACE_MS));
    repaired('mail', mails);
    if (mails > 0) log.warn({ rescued: mails }, 'mails that stood still have been started again');
    const channels = await db.transaction((tx) => rescueChannels(tx, clock.now(), MAIL_GRACE_MS));
    repaired('channel', channels);
    if (channels > 0)
      log.warn({ rescued: channels }, 'messages to channels that stood still have been started again');
    return rescued + jobs + scans + bills + autopilots + pushes + mails + channels;
  },
});

export type RescueActivities = ReturnType<typeof createRescueActivities>;
