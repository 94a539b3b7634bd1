const LONGEST = 2_000;
const visibleAscii = /^[\x21-\x7e]+$/;
const loopback: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost']);
/** The scheme of a program of a person's machine is a domain name in reverse (RFC 8252, 7.1). */
const ofProgram = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:$/;

/** Whether a redirect URI leads over https, to a program on the person's own machine, or to one with a scheme of its own. */
export function isRedirectUri(text: string): boolean {
  if (text.length > LONGEST || !visibleAscii.test(text) || text.includes('#')) return false;
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '') return false;
  if (url.protocol === 'https:') return true;
  return url.protocol === 'http:' ? loopback.has(url.hostname) : ofProgram.test(url.protocol);
}

/**
 * Whether a redirect URI is one of the registered ones, to the letter. Only the port of the person's own machine is free,
 * as programs listen on any (RFC 8252, 7.3).
 */
export const isRegistered = (asked: string, registered: readonly string[]): boolean =>
  isRedirectUri(asked) &&
  registered.some(
    (each) => each === asked || (isOnLoopback(asked) && withoutPort(each) === withoutPort(asked)),
  );

function isOnLoopback(text: string): boolean {
  const url = URL.parse(text);
  return url?.protocol === 'http:' && loopback.has(url.hostname);
}

/** The port is the digits after the host, as the text has them: nothing else may be spelled otherwise. */
const withoutPort = (text: string): string =>
  text.replace(/^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)):\d{1,5}(?=[/?]|$)/, '$1');

/** Where a redirect leads, in short: a host, or the scheme of a program. */
export function redirectTarget(text: string): string {
  const url = new URL(text);
  return url.host === '' ? url.protocol : url.host;
}
