import type { Autopilot } from './settings.ts';

/** The autopilot as the API shows it (docs/spec/rulings.md, 19). */
export const presentAutopilot = (row: Autopilot) => ({
  enabled: row.enabled,
  weekdays: row.weekdays,
  time: row.time,
  items: row.items,
  last:
    row.last_at === null
      ? null
      : {
          at: row.last_at.toISOString(),
          run_id: row.last_run_id,
          error:
            row.last_error_code === null
              ? null
              : { code: row.last_error_code, message: row.last_error_message },
        },
});
