import { Counter } from '@prometheus-io/client';

const kinds = [
  'schedule',
  'run',
  'scan',
  'bulk_job',
  'billing',
  'autopilot',
  'push',
  'mail',
  'channel',
  'approval',
  'object',
  'usage',
  'comment_counts',
  'cache_purge',
  'key_rotation',
  'prompt_try',
] as const;

const repairs = new Counter({
  name: 'presswork_repairs_total',
  help: 'Lost or wrong rows that housekeeping repaired. Outside an outage each is a defect.',
  labelNames: ['kind'],
});
for (const kind of kinds) repairs.inc({ kind }, 0);

export const repaired = (kind: (typeof kinds)[number], count: number): void => repairs.inc({ kind }, count);
