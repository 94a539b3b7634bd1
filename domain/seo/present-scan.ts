import type { Scan } from './scan.ts';

/** A scan as the API shows it (docs/spec/rulings.md, 19, Scan). */
export const presentScan = (scan: Scan) => ({
  id: scan.id,
  kind: scan.kind,
  status: scan.status,
  reason: scan.reason,
  units: { done: scan.units_done, total: scan.units_total },
  found: { error: scan.found_error, warning: scan.found_warning, notice: scan.found_notice },
  credits_spent: scan.credits_spent,
  created_at: scan.created_at.toISOString(),
  started_at: scan.started_at?.toISOString() ?? null,
  finished_at: scan.finished_at?.toISOString() ?? null,
});
