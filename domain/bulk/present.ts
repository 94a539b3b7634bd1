import type { BulkJob } from './job.ts';

/** A bulk job as the API returns it (docs/spec/rulings.md, 15, Bulk). */
export function presentBulkJob({ id, status, action, items, created_at, finished_at }: BulkJob) {
  const totals = { waiting: 0, done: 0, failed: 0 };
  for (const item of items) totals[item.status] += 1;
  return {
    id,
    status,
    action,
    items: items.map(({ article_id, status: state, error }) => ({ article_id, status: state, error })),
    totals,
    created_at: created_at.toISOString(),
    finished_at: finished_at?.toISOString() ?? null,
  };
}
