import { Counter } from 'prom-client';

const kinds = ['schedule', 'run', 'approval', 'object', 'usage', 'comment_counts', 'purge_or_grace'] as const;

const repairs = new Counter({
  name: 'presswork_repairs_total',
  help: 'What housekeeping found lost or wrong and set right. Outside an outage each is a defect.',
  labelNames: ['kind'],
});
for (const kind of kinds) repairs.inc({ kind }, 0);

export const repaired = (kind: (typeof kinds)[number], count: number): void => repairs.inc({ kind }, count);
