import { userInfo } from 'node:os';
import { Option } from 'commander';
import { roles } from '../../domain/access/permissions.ts';
import { scopes } from '../../domain/access/scopes.ts';
import { isLocale } from '../../domain/organisations/locales.ts';
import { isTimezone, timezoneHint } from '../../domain/organisations/timezones.ts';
import { check, filled, listed, parsed, whole } from '../../packages/command/options.ts';

export { eventList, number, time } from '../../packages/command/options.ts';

const idOf = (value: string): string => {
  check(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value), 'It must be a uuid.');
  return value.toLowerCase();
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
  parsed('--scopes <list>', 'comma-separated scopes, or all', (value) =>
    value === 'all' ? value : listed('Scopes', scopes)(value),
  ).makeOptionMandatory();

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

export const folder = (): Option =>
  parsed(
    '--out <folder>',
    'a new folder, or that of the same export after an interruption',
    filled,
  ).makeOptionMandatory();
