import { Temporal } from 'temporal-polyfill';

const form = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:[0-5]\d(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/i;

const EARLIEST = Date.parse('0001-01-01T00:00:00.000Z');
/** The last instant with a four-digit year, in milliseconds since 1970. */
export const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Parses an RFC 3339 date-time with an offset; fractions finer than milliseconds are truncated
 * (docs/spec/rulings.md, 1).
 *
 * @returns null for anything else, for days that do not exist, and outside the years 1 to 9999 (UTC)
 */
export function parseDateTime(text: string): Date | null {
  if (!form.test(text)) return null;
  try {
    const { epochMilliseconds } = Temporal.Instant.from(truncateFraction(text));
    return epochMilliseconds >= EARLIEST && epochMilliseconds <= LATEST ? new Date(epochMilliseconds) : null;
  } catch {
    return null;
  }
}

/** Without the digits after milliseconds, of which Temporal accepts six. */
export const truncateFraction = (text: string): string => text.replace(/(\.\d{3})\d+/, '$1');
