import { ScheduleAlreadyRunning } from '@temporalio/client';
import type { Client, ScheduleOptions } from '@temporalio/client';
import type { Logger } from 'pino';
import { setupFailed } from '../observability/metrics/joining.ts';
import { TASK_QUEUE } from '../workflows/names.ts';
import { billingReconciliation } from '../workflows/billing-reconciliation.ts';
import { overageInvoices } from '../workflows/overage-invoices.ts';
import { persist } from './persist.ts';

const CALL_TIMEOUT_MS = 5_000;

interface Timetable {
  readonly scheduleId: string;
  readonly workflow: () => Promise<unknown>;
  readonly calendar: NonNullable<ScheduleOptions['spec']['calendars']>[number];
  /** Its summary, for the UI. */
  readonly summary: string;
}

/** In UTC. A firing that was missed while Temporal was away is made up for within a day. */
const timetables: readonly Timetable[] = [
  {
    scheduleId: 'billing-reconciliation',
    workflow: billingReconciliation,
    calendar: { hour: 3, minute: 30 },
    summary: 'Compare the payments of the provider with the ledger',
  },
  {
    scheduleId: 'overage-invoices',
    workflow: overageInvoices,
    // The last day of the month was counted long before.
    calendar: { dayOfMonth: 1, hour: 2 },
    summary: 'Invoice storage beyond the included one',
  },
];

async function create(client: Client, { scheduleId, workflow, calendar, summary }: Timetable): Promise<void> {
  try {
    await client.schedule.create({
      scheduleId,
      spec: { calendars: [calendar] },
      action: {
        type: 'startWorkflow',
        workflowType: workflow,
        workflowId: scheduleId,
        taskQueue: TASK_QUEUE,
        args: [],
        staticSummary: summary,
      },
      policies: { overlap: 'SKIP', catchupWindow: '1 day' },
    });
  } catch (error) {
    // An earlier start created it; an operator may have paused it.
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
  }
}

/** Creates the Schedules of billing that are missing, retrying until it succeeds. */
export function ensureBillingSchedules(
  client: () => Client,
  log: Logger,
  signal: AbortSignal,
): Promise<void> {
  const createAll = async (): Promise<void> => {
    for (const timetable of timetables)
      await client().withDeadline(Date.now() + CALL_TIMEOUT_MS, () => create(client(), timetable));
  };
  return persist(signal, createAll, (error) => {
    setupFailed('billing_schedules');
    log.warn({ err: error as Error }, 'the Schedules of billing could not be created yet');
  });
}
