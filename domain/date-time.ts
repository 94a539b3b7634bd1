const form = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

const EARLIEST = Date.parse('0001-01-01T00:00:00.000Z');
/** The last instant that the four digits of a year can show, in milliseconds since 1970. */
export const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Reads an RFC 3339 date-time with an offset; finer fractions than milliseconds are cut off (decisions 1).
 *
 * @returns null for anything else, for days the calendar does not have, and outside the years 1 to 9999 (UTC)
 */
export function parseDateTime(text: string): Date | null {
  const match = form.exec(text);
  if (match === null) return null;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const milliseconds = Number((match[7] ?? '').slice(0, 3).padEnd(3, '0'));
  const local = new Date(0);
  local.setUTCFullYear(year, month - 1, day);
  const onCalendar = local.getUTCMonth() === month - 1 && local.getUTCDate() === day;
  const [offsetHours, offsetMinutes] = [Number(match[9] ?? 0), Number(match[10] ?? 0)];
  if (!onCalendar || hour > 23 || minute > 59 || second > 59 || offsetHours > 23 || offsetMinutes > 59)
    return null;
  local.setUTCHours(hour, minute, second, milliseconds);
  const offset = (match[8] === '-' ? -1 : 1) * (offsetHours * 60 + offsetMinutes) * 60_000;
  const time = local.getTime() - offset;
  return time >= EARLIEST && time <= LATEST ? new Date(time) : null;
}
