import { InvalidArgumentError, Option } from 'commander';
import { parseDateTime } from '../base/date-time.ts';
export const parsed = <T>(flags: string, description: string, parse: (value: string) => T): Option =>
  new Option(flags, description).argParser(parse);

export const check = (holds: boolean, message: string): void => {
  if (!holds) throw new InvalidArgumentError(message);
};

export const filled = (value: string): string => {
  check(value.trim() !== '', 'It must not be empty.');
  return value;
};

interface Range {
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Sums of such values are still exact. */
const MAXIMUM = 999_999_999_999_999;

export const whole =
  ({ minimum = 0, maximum = MAXIMUM }: Range = {}) =>
  (value: string): number => {
    const inRange = /^\d+$/.test(value) && Number(value) >= minimum && Number(value) <= maximum;
    check(inRange, `It must be a whole number from ${minimum} to ${maximum}.`);
    return Number(value);
  };

export const number = (flag: string, description: string, range?: Range): Option =>
  parsed(`--${flag} <number>`, description, whole(range));

/** A URL for requests. One with a user name or password is rejected. */
export const httpUrl = (flag: string, description: string, example = 'https://example.com/v1'): Option =>
  parsed(`--${flag} <url>`, description, (value) => {
    const url = URL.parse(value);
    check(
      url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '',
      `It must be a URL such as ${example}, without a user name.`,
    );
    return value;
  });

/** The key is not validated here, because commander repeats an invalid value in its message. */
export const key = (): Option => new Option('--key <key>', 'secret API key').makeOptionMandatory();

export const path = (flags: string, description: string): Option => parsed(flags, description, filled);

/** Reads a comma-separated list. @param what the values are, for the message @param known all of them */
export const listed =
  <T extends string>(what: string, known: readonly T[]) =>
  (value: string): readonly T[] => {
    const asked = value.split(',').map((item) => item.trim());
    const unknown = asked.filter((item) => !(known as readonly string[]).includes(item));
    check(unknown.length === 0, `Unknown: ${unknown.join(', ')}. ${what} are ${known.join(', ')}.`);
    return asked as T[];
  };

/** @param names all events */
export const eventList = (names: readonly string[]): Option =>
  parsed('--events <list>', 'comma-separated events; the default is all', listed('Events', names));

export const time = (flag: string, description: string): Option =>
  parsed(`--${flag} <time>`, description, (value) => {
    const moment = parseDateTime(value);
    check(moment !== null, 'It must be a date-time with an offset, such as 2026-03-01T09:00:00Z.');
    return moment;
  });
