import { isIP, isIPv6 } from 'node:net';

/** A kind of text that must not be logged. */
interface Kind {
  /** A cheap check before the pattern: most lines contain none, and each request writes a line. */
  readonly mayBeIn: (text: string) => boolean;
  readonly pattern: RegExp;
  readonly shown: string;
  /** Whether a match only looks like one. */
  readonly isOther?: (found: string) => boolean;
}

/** A character of an e-mail address on either side of its @, inside a line of JSON. */
const ATOM = String.raw`[^\s"'\\<>(),;:/=@?&|{}[\]]`;
const OCTETS = String.raw`(?:\d{1,3}\.){3}\d{1,3}`;

/** Loopback and unspecified addresses: they identify no person, and operators need them. */
const isOwn = (address: string): boolean => /^(?:127\.|0\.0\.0\.0$|::1?$)/.test(address);

/** No pattern backtracks over a long text more than once, because clients choose paths and messages. */
const kinds: readonly Kind[] = [
  {
    mayBeIn: (text) => /svc_|whsec_|sk-|k_live_|k_test_|earer |X-Amz-/.test(text),
    pattern: new RegExp(
      [
        String.raw`svc_(?:sk|pub)_\w+|whsec_[\w-]+|\bsk-[\w-]{16,}|\b[rs]k_(?:live|test)_\w+`,
        String.raw`(?<=\b[Bb]earer )[^\s"\\]+`,
        String.raw`(?<=\bX-Amz-(?:Signature|Credential|Security-Token)=)[^&\s"\\]+`,
      ].join('|'),
      'g',
    ),
    shown: '[secret]',
  },
  {
    mayBeIn: (text) => text.includes('@'),
    pattern: /(?<=:\/\/)[^\s/@"\\]+(?=@)/g,
    shown: '[secret]',
  },
  {
    mayBeIn: (text) => text.includes('@') || text.includes('%'),
    pattern: new RegExp(`(?<!${ATOM})${ATOM}+(?:@|%(?:25)*40)${ATOM}+`, 'g'),
    shown: '[e-mail]',
  },
  {
    mayBeIn: (text) =>
      text.includes('::') || text.includes('%3') || /:[\da-f]{1,4}:[\da-f]{1,4}:/i.test(text),
    pattern: new RegExp(
      String.raw`(?<![\w:.])(?:[\da-f]{0,4}(?::|%3a)){2,7}(?:${OCTETS}|[\da-f]{1,4})?(?!\w)`,
      'gi',
    ),
    shown: '[address]',
    isOther(found) {
      const address = found.replaceAll(/%3a/gi, ':');
      return !isIPv6(address) || isOwn(address);
    },
  },
  {
    mayBeIn: (text) => /\d\.\d{1,3}\.\d{1,3}\.\d/.test(text),
    pattern: new RegExp(String.raw`(?<![\d.])${OCTETS}(?![\d.]*\d)`, 'g'),
    shown: '[address]',
    isOther: (found) => isIP(found) === 0 || isOwn(found),
  },
];

/** Shorter secrets are words, such as the password of a local database. */
const SECRET_LENGTH = 16;

/**
 * Creates a function that removes secrets, e-mail addresses and IP addresses from a text. None of them should be logged
 * in the first place; this is the safety net for paths and messages of other servers.
 *
 * @param secrets the process's own, matched literally
 */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
  const own = secrets
    .filter((secret) => secret.length >= SECRET_LENGTH)
    .map((secret) => JSON.stringify(secret).slice(1, -1));
  return (text) => {
    let safe = text;
    for (const secret of own) if (safe.includes(secret)) safe = safe.replaceAll(secret, '[secret]');
    for (const { mayBeIn, pattern, shown, isOther } of kinds) {
      if (mayBeIn(safe)) safe = safe.replace(pattern, (found) => (isOther?.(found) ? found : shown));
    }
    return safe;
  };
}
