import { Histogram } from '@prometheus-io/client';

const lateness = new Histogram({
  name: 'presswork_schedule_lateness_seconds',
  help: 'From the scheduled time of an article or pending edit to its publication.',
  buckets: [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 15, 60, 300, 3_600],
});

export const publishedOnSchedule = (scheduledFor: Date, published: Date): void =>
  lateness.observe(Math.max(0, published.getTime() - scheduledFor.getTime()) / 1_000);
