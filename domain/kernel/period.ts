/** The calendar month in UTC by which usage is counted (docs/spec/rulings.md, 9); `end` is exclusive. */
export function periodOf(now: Date): { readonly start: Date; readonly end: Date } {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  return { start: new Date(Date.UTC(year, month)), end: new Date(Date.UTC(year, month + 1)) };
}

/** The first day of the month, as the database stores months: `2026-03-01`. */
export const firstOfMonth = (now: Date): string => periodOf(now).start.toISOString().slice(0, 10);
