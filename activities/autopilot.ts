import { isDeepStrictEqual } from 'node:util';
import { fireAutopilot, recordRefusal } from '../domain/pipeline/fire-autopilot.ts';
import type { Firing } from '../domain/pipeline/fire-autopilot.ts';
import { findWantedSchedule, noteFollowed } from '../domain/autopilot/schedule.ts';
import { ServiceError } from '../domain/kernel/errors.ts';
import { shareOf } from '../domain/organisations/share.ts';
import type { Ports } from './ports.ts';

/** The side effects of the autopilot: its Schedule, and the runs that it starts. */
export const createAutopilotActivities = ({
  db,
  clock,
  log,
  writer,
  schedules,
}: Pick<Ports, 'db' | 'clock' | 'log' | 'schedules'> & {
  readonly writer: Pick<Ports['writer'], 'name'>;
}) => ({
  /**
   * Sets the Schedule of a Site by its settings. They are read again afterwards: they may have changed, and an
   * attempt that hung may have written older ones.
   *
   * @returns the state of the Schedule, for the UI
   */
  async followAutopilot(siteId: string): Promise<'on' | 'off' | 'removed'> {
    for (let wanted = await findWantedSchedule(db, siteId); ;) {
      if (wanted === null) await schedules.remove(siteId);
      else await schedules.keep(siteId, wanted);
      const now = await findWantedSchedule(db, siteId);
      if (!isDeepStrictEqual(now, wanted)) {
        wanted = now;
        continue;
      }
      if (wanted === null) return 'removed';
      await noteFollowed(db, siteId, wanted.revision, clock.now());
      return wanted.enabled ? 'on' : 'off';
    }
  },

  /** Starts the run of a firing, or records why there is none. @returns the result, for the UI */
  async fireAutopilot(firing: Firing): Promise<string> {
    const now = clock.now();
    const own = await shareOf(db, firing.siteId);
    try {
      const outcome = await own.transaction((tx) => fireAutopilot(tx, firing, writer.name, now));
      if (outcome.kind === 'started') return `started run ${outcome.runId} with ${outcome.articles} articles`;
      if (outcome.kind === 'off') {
        return 'did nothing: it is switched off, or fired before, perhaps an hour earlier on the same clock';
      }
      await schedules.remove(firing.siteId);
      return 'removed the Schedule: there is no such Site, or it is being deleted';
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      await own.transaction((tx) => recordRefusal(tx, firing, error, now));
      log.info({ site_id: firing.siteId, code: error.code }, 'a run of the autopilot was refused');
      return `refused: ${error.code}`;
    }
  },
});

export type AutopilotActivities = ReturnType<typeof createAutopilotActivities>;
