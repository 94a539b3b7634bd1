import { isIP } from 'node:net';
import { isPublicUnicast } from './addresses.ts';
import { type AllowedHosts, isAllowedHost, withoutRootDots } from '../../runtime/allowed-hosts.ts';

/** The longest accepted URL, in Unicode code points (docs/spec/rulings.md, 7). */
export const MAX_URL_LENGTH = 2_000;

/** Names that can be resolved: labels of letters, digits, hyphens and underscores, without a wildcard. */
const RESOLVABLE = /^(?=.{1,254}$)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*\.?$/;

/** User info, including empty user info, which a parsed URL no longer shows. */
const USER_INFO = /^[a-z]+:\/\/[^/?#]*@/i;

const PRIVATE_NAME = /(?:^|\.)(?:localhost|local|internal)$/;

export interface TargetOptions {
  /** Hosts exempt from the scheme and address rules. */
  allowedHosts?: AllowedHosts | undefined;
  /** The operator configured the URL: the scheme and address rules do not apply. */
  trusted?: boolean | undefined;
  /** Accepts http as well as https, for public content requested without a secret. */
  plainHttp?: boolean | undefined;
  /** Lifts the address rule: the user of the program vouches for the address. */
  privateAddresses?: boolean | undefined;
}

export type TargetRefusal = 'malformed' | 'length' | 'user_info' | 'scheme' | 'private_address';

export type TargetCheck =
  | { ok: true; url: URL; /** No address rule applies. */ exempt: boolean }
  | {
      ok: false;
      cause: TargetRefusal;
      /** For a person: the mistake, and its replacement. */ reason: string;
    };

/**
 * Decides, without a look-up, whether requests may be sent to a URL (docs/spec/rulings.md, 7). It checks the parsed
 * URL, in which every address is normalised. A name passes; {@link checkResolved} checks its addresses.
 */
export function checkTarget(url: string, options: TargetOptions = {}): TargetCheck {
  const { allowedHosts, trusted = false, plainHttp = false, privateAddresses = false } = options;
  // A string never has more code points than UTF-16 units, so most are not counted.
  if (url.length > MAX_URL_LENGTH && [...url].length > MAX_URL_LENGTH) {
    return refuse('length', `The URL is longer than ${MAX_URL_LENGTH} characters; use a shorter one.`);
  }
  const parsed = URL.parse(url);
  if (parsed === null)
    return refuse('malformed', 'This is not a URL; use one such as https://example.com/webhooks.');
  if (parsed.username !== '' || parsed.password !== '' || USER_INFO.test(url)) {
    return refuse('user_info', 'The URL carries a user name or password; leave out everything before the @.');
  }
  const vouchedFor = trusted || (allowedHosts !== undefined && isAllowedHost(parsed, allowedHosts));
  if (parsed.protocol !== 'https:' && !((vouchedFor || plainHttp) && parsed.protocol === 'http:')) {
    return refuse('scheme', 'The URL does not use https; use one that starts with https://.');
  }
  const exempt = vouchedFor || privateAddresses;
  if (!exempt && isPrivateHost(parsed.hostname)) return refusePrivate();
  if (!parsed.hostname.startsWith('[') && !RESOLVABLE.test(parsed.hostname)) {
    return refuse(
      'malformed',
      'The URL names no host; use one whole name, such as example.com, without a wildcard.',
    );
  }
  if (parsed.port === '0') {
    return refuse('malformed', 'Nothing can listen at port 0; use a port from 1 to 65535, or none for 443.');
  }
  return { ok: true, url: parsed, exempt };
}

/** Checks the addresses of a name: a single one that is not public refuses all (docs/spec/rulings.md, 7). */
export function checkResolved(addresses: readonly { address: string }[]): TargetCheck | undefined {
  return addresses.every(({ address }) => isPublicUnicast(address)) ? undefined : refusePrivate();
}

/** The host of a parsed URL if it is an address, without IPv6 brackets; undefined for a name. */
export function literalAddress(url: URL): string | undefined {
  const { hostname } = url;
  if (hostname.startsWith('[')) return hostname.slice(1, -1);
  return isIP(hostname) === 0 ? undefined : hostname;
}

function isPrivateHost(hostname: string): boolean {
  if (hostname.startsWith('[')) return !isPublicUnicast(hostname.slice(1, -1));
  const host = withoutRootDots(hostname);
  return isIP(host) === 0 ? PRIVATE_NAME.test(host) : !isPublicUnicast(host);
}

function refusePrivate(): TargetCheck & { ok: false } {
  return refuse(
    'private_address',
    'The URL leads to a private, local or reserved address; use a host that is reachable on the public internet.',
  );
}

function refuse(cause: TargetRefusal, reason: string): TargetCheck & { ok: false } {
  return { ok: false, cause, reason };
}
