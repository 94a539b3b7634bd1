export const autopilotExample = {
  enabled: true,
  weekdays: ['mon', 'thu'],
  time: '07:30',
  items: 2,
  last: { at: '2026-03-02T06:30:00.412Z', run_id: '0197a0f3-22bb-7f00-8a01-6d1c2e3f4a5b', error: null },
};

export const autopilotUpdateExample = { enabled: true, weekdays: ['mon', 'thu'], time: '07:30', items: 2 };
