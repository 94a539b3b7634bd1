import { autopilotScheduleId, createAutopilotSchedules } from '../../adapters/autopilot-schedules.ts';
import { isTimezone } from '../../domain/organisations/timezones.ts';
import { searchAttributes } from '../../workflows/names.ts';
import { startTemporal } from '../support/temporal.ts';
import type { TestTemporal } from '../support/temporal.ts';

let temporal: TestTemporal;
beforeAll(async () => {
  temporal = await startTemporal();
});
afterAll(() => temporal.close());

test.each([
  ['UTC', 'GMT0', 'Zulu', 'EST', 'HST', 'MET', 'EST5EDT', 'GB', 'W-SU', 'NZ-CHAT', 'PRC', 'Etc/GMT+5'],
  ['US/Pacific', 'Asia/Calcutta', 'Asia/Kolkata', 'Europe/Kiev', 'Europe/Kyiv', 'Canada/Saskatchewan'],
  ['America/Coyhaique', 'America/Argentina/ComodRivadavia', 'Antarctica/Vostok', 'Asia/Ho_Chi_Minh'],
])('a time zone that a Site may have is one that Temporal knows: %s, %s, %s …', async (...zones) => {
  const schedules = createAutopilotSchedules(() => temporal.client, {
    type: 'none',
    taskQueue: 'none',
    siteId: searchAttributes.siteId,
  });
  for (const timezone of zones) {
    expect([timezone, isTimezone(timezone)]).toEqual([timezone, true]);
    await schedules.keep('zones', { enabled: true, weekdays: ['mon'], time: '09:00', timezone, revision: 1 });
    const { spec } = await temporal.client.schedule.getHandle(autopilotScheduleId('zones')).describe();
    expect(spec.timezone).toBe(timezone);
  }
});
