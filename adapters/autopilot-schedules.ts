import { ScheduleAlreadyRunning, ScheduleNotFoundError } from '@temporalio/client';
import type { Client, ScheduleOptions } from '@temporalio/client';
import type { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import type { WantedSchedule } from '../domain/autopilot/schedule.ts';

/** The Schedules in Temporal that start runs of the autopilot, one for each Site that has switched it on. */
export interface AutopilotSchedules {
  /** Sets the Schedule of a Site. A pause by an operator stays. */
  readonly keep: (siteId: string, wanted: WantedSchedule) => Promise<void>;
  readonly remove: (siteId: string) => Promise<void>;
}

export interface FiringWorkflow {
  readonly type: string;
  readonly taskQueue: string;
  readonly siteId: ReturnType<typeof defineSearchAttributeKey<typeof SearchAttributeType.KEYWORD>>;
}

/** The note of a pause that the Site wants; an operator's pause has another. */
const OFF = 'The Site has switched its autopilot off.';
const CALL_TIMEOUT_MS = 10_000;

const days = {
  mon: 'MONDAY',
  tue: 'TUESDAY',
  wed: 'WEDNESDAY',
  thu: 'THURSDAY',
  fri: 'FRIDAY',
  sat: 'SATURDAY',
  sun: 'SUNDAY',
} as const;

export const autopilotScheduleId = (siteId: string): string => `autopilot/${siteId}`;

type State = NonNullable<ScheduleOptions['state']>;

/** @param client of the connection that is used now */
export function createAutopilotSchedules(client: () => Client, firing: FiringWorkflow): AutopilotSchedules {
  const handleOf = (siteId: string) => client().schedule.getHandle(autopilotScheduleId(siteId));

  const compose = (siteId: string, { weekdays, time, timezone }: WantedSchedule) => {
    const [hour, minute] = time.split(':').map(Number) as [number, number];
    return {
      spec: { calendars: [{ dayOfWeek: weekdays.map((day) => days[day]), hour, minute }], timezone },
      action: {
        type: 'startWorkflow',
        workflowType: firing.type,
        workflowId: `autopilot-firing/${siteId}`,
        taskQueue: firing.taskQueue,
        args: [{ siteId }],
        typedSearchAttributes: [{ key: firing.siteId, value: siteId }],
        staticSummary: 'Start a run with the first approved items of the content plan',
      },
      // A firing that is late by more than this is left out: the next one takes its items.
      policies: { overlap: 'SKIP', catchupWindow: '1 hour' },
    } satisfies Omit<ScheduleOptions, 'scheduleId'>;
  };

  async function create(siteId: string, wanted: WantedSchedule): Promise<void> {
    try {
      await client().schedule.create({
        ...compose(siteId, wanted),
        scheduleId: autopilotScheduleId(siteId),
        typedSearchAttributes: [{ key: firing.siteId, value: siteId }],
      });
    } catch (error) {
      if (!(error instanceof ScheduleAlreadyRunning)) throw error;
      await update(siteId, wanted);
    }
  }

  const update = (siteId: string, wanted: WantedSchedule): Promise<void> =>
    handleOf(siteId).update(({ state }) => ({
      ...compose(siteId, wanted),
      state: { ...state, ...(wanted.enabled ? switchedOn(state) : switchedOff(state)) },
    }));

  const within = (work: () => Promise<void>): Promise<void> =>
    client().withDeadline(Date.now() + CALL_TIMEOUT_MS, work);

  return {
    keep: (siteId, wanted) =>
      within(async () => {
        try {
          await update(siteId, wanted);
        } catch (error) {
          if (!(error instanceof ScheduleNotFoundError)) throw error;
          if (wanted.enabled) await create(siteId, wanted);
        }
      }),
    remove: (siteId) =>
      within(async () => {
        try {
          await handleOf(siteId).delete();
        } catch (error) {
          if (!(error instanceof ScheduleNotFoundError)) throw error;
        }
      }),
  };
}

const switchedOn = (state: State): State =>
  state.paused && state.note === OFF ? { paused: false, note: '' } : {};

const switchedOff = (state: State): State => (state.paused ? {} : { paused: true, note: OFF });
