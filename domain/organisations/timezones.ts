import { Temporal } from 'temporal-polyfill';

/** Names that Node still knows, but the IANA database, and so a Schedule of Temporal, no longer does. */
const dropped = /^(?:SystemV\/|US\/Pacific-New$|Canada\/East-Saskatchewan$)/i;

/**
 * Whether a name is a time zone of the IANA database, in the case that it has there. An offset is none, and neither is an
 * abbreviation such as BST or PST, which ICU reads as a zone of its own choice (docs/decisions/0009).
 */
export function isTimezone(name: string): boolean {
  if (!/^[A-Z]/.test(name) || dropped.test(name)) return false;
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId === name;
  } catch {
    return false;
  }
}

/** The right form, for a refusal. */
export const timezoneHint =
  'a name of the IANA time zone database, such as Europe/London or America/New_York';
