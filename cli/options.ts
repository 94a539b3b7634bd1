import { userInfo } from 'node:os';
import { InvalidArgumentError, Option } from 'commander';
import { roles } from '../domain/access/permissions.ts';
import { scopes } from '../domain/access/scopes.ts';
import type { Scope } from '../domain/access/scopes.ts';
import { eventNames } from '../domain/events/names.ts';
import { isLocale } from '../domain/organisations/locales.ts';
import { isTimezone, timezoneHint } from '../domain/organisations/timezones.ts';

export const parsed = <T>(flags: string, description: string, parse: (value: string) => T): Option =>
  new Option(flags, description).argParser(parse);

export const check = (holds: boolean, message: string): void => {
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

/** Sums of such values are still exact. */
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
  new Option('--plan <plan>', 'pro includes the AI pipeline').choices(['free', 'pro']);

export const role = (): Option =>
  new Option('--role <role>', 'role of the member').choices([...roles]).makeOptionMandatory();

export const number = (flag: string, description: string, range?: Range): Option =>
  parsed(`--${flag} <number>`, description, whole(range));

export const email = (): Option =>
  parsed('--email <address>', 'e-mail address', (value) => {
    check(/^[^\s@]+@[^\s@]+$/.test(value) && value.length <= 254, 'It must be an e-mail address.');
    return value;
  }).makeOptionMandatory();

export const domain = (): Option =>
  parsed('--domain <domain>', 'domain of the blog', (value) => {
    // The addresses of the blog have to be URLs, which an impossible port or half an IP address would prevent.
    const isHost = /^[a-z0-9.-]+(:\d+)?$/i.test(value) && URL.canParse(`https://${value}`);
    check(isHost, 'It must be a domain name such as blog.example.com.');
    return value.toLowerCase();
  }).makeOptionMandatory();

export const locale = (): Option =>
  parsed('--locale <locale>', 'language of the blog', (value) => {
    check(value.length <= 100 && isLocale(value), 'It must be a language tag (BCP 47) such as en or de-AT.');
    return value;
  });

export const timezone = (): Option =>
  parsed('--timezone <name>', 'IANA name, such as Europe/Berlin', (value) => {
    check(isTimezone(value), `It must be ${timezoneHint}.`);
    return value;
  });

/** Credits per month, or `none`. */
export const spendCap = (): Option =>
  parsed('--spend-cap <credits>', 'monthly credit limit of the Site, or none', (value) =>
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

/** The origin of a page, such as `http://127.0.0.1:8233`. */
export const origin = (flag: string, description: string): Option =>
  parsed(`--${flag} <origin>`, description, (value) => {
    const url = URL.parse(value);
    check(
      url !== null && /^https?:$/.test(url.protocol),
      'It must be an origin such as http://127.0.0.1:8233.',
    );
    return url?.origin;
  });

/** The key is not validated here, because commander repeats an invalid value in its message. */
export const key = (): Option => new Option('--key <key>', 'secret API key').makeOptionMandatory();

export const eventList = (): Option =>
  parsed('--events <list>', 'comma-separated events; the default is all', (value): readonly string[] => {
    const asked = value.split(',').map((item) => item.trim());
    const unknown = asked.filter((item) => !(eventNames as readonly string[]).includes(item));
    check(unknown.length === 0, `Unknown: ${unknown.join(', ')}. Events are ${eventNames.join(', ')}.`);
    return asked;
  });

/** The user of the operating system; a container may run under an id without a name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'operator';
  }
}

/** Who asks, for receipts and the audit log. */
export const by = (): Option =>
  new Option('--by <name>', 'who asks; recorded in the receipt and the audit log').default(userName());

export const path = (flags: string, description: string): Option => parsed(flags, description, filled);

export const folder = (): Option =>
  parsed(
    '--out <folder>',
    'a new folder, or that of the same export after an interruption',
    filled,
  ).makeOptionMandatory();
