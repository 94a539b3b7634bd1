import { InvalidArgumentError, Option } from 'commander';
import { roles } from '../domain/access/permissions.ts';
import { scopes } from '../domain/access/scopes.ts';
import type { Scope } from '../domain/access/scopes.ts';
import { parseDateTime } from '../domain/date-time.ts';
import { eventNames } from '../domain/events.ts';
import { isTimezone } from '../domain/sites.ts';

const parsed = <T>(flags: string, description: string, parse: (value: string) => T): Option =>
  new Option(flags, description).argParser(parse);

const check = (holds: boolean, message: string): void => {
  if (!holds) throw new InvalidArgumentError(message);
};

const idOf = (value: string): string => {
  check(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value), 'It must be a uuid.');
  return value.toLowerCase();
};

const filled = (value: string): string => {
  check(value.trim() !== '', 'It must not be empty.');
  return value;
};

interface Range {
  readonly minimum?: number;
  readonly maximum?: number;
}

/** What sums can still be made of without losing a digit. */
const MAXIMUM = 999_999_999_999_999;

const whole =
  ({ minimum = 0, maximum = MAXIMUM }: Range = {}) =>
  (value: string): number => {
    const inRange = /^\d+$/.test(value) && Number(value) >= minimum && Number(value) <= maximum;
    check(inRange, `It must be a whole number from ${minimum} to ${maximum}.`);
    return Number(value);
  };

export const id = (flag: string, description: string): Option =>
  parsed(`--${flag} <id>`, description, idOf).makeOptionMandatory();

export const optionalId = (flag: string, description: string): Option =>
  parsed(`--${flag} <id>`, description, idOf);

export const name = (description: string): Option =>
  parsed('--name <name>', description, filled).makeOptionMandatory();

export const plan = (): Option =>
  new Option('--plan <plan>', 'pro has the AI pipeline').choices(['free', 'pro']);

export const role = (): Option =>
  new Option('--role <role>', 'what the person may do').choices([...roles]).makeOptionMandatory();

export const number = (flag: string, description: string, range?: Range): Option =>
  parsed(`--${flag} <number>`, description, whole(range));

export const email = (): Option =>
  parsed('--email <address>', 'e-mail address', (value) => {
    check(/^[^\s@]+@[^\s@]+$/.test(value) && value.length <= 254, 'It must be an e-mail address.');
    return value;
  }).makeOptionMandatory();

export const domain = (): Option =>
  parsed('--domain <domain>', 'domain the blog is served from', (value) => {
    check(/^[a-z0-9.-]+(:\d+)?$/i.test(value), 'It must be a domain name such as blog.example.com.');
    return value.toLowerCase();
  }).makeOptionMandatory();

export const timezone = (): Option =>
  parsed('--timezone <name>', 'IANA name, such as Europe/Berlin', (value) => {
    check(isTimezone(value), 'It must be a name such as Europe/Berlin.');
    return value;
  });

/** A number of credits a month, or `none`. */
export const spendCap = (): Option =>
  parsed('--spend-cap <credits>', 'monthly ceiling of the Site, or none', (value) =>
    value === 'none' ? value : whole()(value),
  );

export const scopeList = (): Option =>
  parsed('--scopes <list>', 'comma-separated scopes, or all', (value): readonly Scope[] | 'all' => {
    if (value === 'all') return value;
    const asked = value.split(',').map((item) => item.trim());
    const unknown = asked.filter((item) => !(scopes as readonly string[]).includes(item));
    check(unknown.length === 0, `Unknown: ${unknown.join(', ')}. Scopes are ${scopes.join(', ')}.`);
    return asked as Scope[];
  }).makeOptionMandatory();

/** An address to send requests to. One with a user name or password is refused, and not repeated. */
export const httpUrl = (flag: string, description: string): Option =>
  parsed(`--${flag} <url>`, description, (value) => {
    const url = URL.parse(value);
    check(
      url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '',
      'It must be a URL such as http://localhost:4000/webhooks, without a user name.',
    );
    return value;
  });

/** Nothing here looks at the key: a complaint about an option repeats its value. */
export const key = (): Option => new Option('--key <key>', 'secret API key').makeOptionMandatory();

export const eventList = (): Option =>
  parsed('--events <list>', 'comma-separated events; without it all', (value): readonly string[] => {
    const asked = value.split(',').map((item) => item.trim());
    const unknown = asked.filter((item) => !(eventNames as readonly string[]).includes(item));
    check(unknown.length === 0, `Unknown: ${unknown.join(', ')}. Events are ${eventNames.join(', ')}.`);
    return asked;
  });

export const since = (description: string): Option =>
  parsed('--since <time>', description, (value) => {
    const time = parseDateTime(value);
    check(time !== null, 'It must be a date-time with an offset, such as 2026-03-01T09:00:00Z.');
    return time;
  });
