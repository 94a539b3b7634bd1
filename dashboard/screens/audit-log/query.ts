import type { AuditFilters } from './search.ts';

const DAY = /^\d{4}-\d\d-\d\d$/;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const DAY_MS = 24 * 60 * 60_000;

/** Whether it is a whole id: one that is still being typed narrows nothing. */
export const isId = (value: string | undefined): value is string => value !== undefined && UUID.test(value);

/** The filters as the API takes them; days are those of the browser's clock. */
export function queryOf({ action, actor, target, since, until }: AuditFilters) {
  return {
    action,
    actor_id: isId(actor) ? actor : undefined,
    target_id: isId(target) ? target : undefined,
    since: startOf(since)?.toISOString(),
    // The API excludes the end, and the person means the whole day.
    until: dayAfter(startOf(until))?.toISOString(),
  };
}

function startOf(day: string | undefined): Date | undefined {
  if (day === undefined || !DAY.test(day)) return undefined;
  const date = new Date(`${day}T00:00:00`);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/** A day with a change of the clock is longer or shorter. */
function dayAfter(day: Date | undefined): Date | undefined {
  if (day === undefined) return undefined;
  const next = new Date(day.getTime() + 1.5 * DAY_MS);
  return new Date(next.getFullYear(), next.getMonth(), next.getDate());
}
