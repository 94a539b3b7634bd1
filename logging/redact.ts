import { isIP, isIPv6 } from 'node:net';

/** Something that is not logged. */
interface Kind {
  /** Whether it may be there at all: most lines hold none of it, and each request writes one. */
  readonly mayBeIn: (text: string) => boolean;
  readonly pattern: RegExp;
  readonly shown: string;
  /** What only looks like it. */
  readonly isOther?: (found: string) => boolean;
}

/** What may stand in an e-mail address on either side of its @, as it is written in a line of JSON. */
const ATOM = String.raw`[^\s"'\\<>(),;:/=@?&|{}[\]]`;
const OCTETS = String.raw`(?:\d{1,3}\.){3}\d{1,3}`;

/** Of this machine or of none: nobody is found by them, and an operator needs them. */
const isOwn = (address: string): boolean => /^(?:127\.|0\.0\.0\.0$|::1?$)/.test(address);

/**
 * No pattern goes back over a long text more than once, since paths and messages are what a client chose them
 * to be.
 */
const kinds: readonly Kind[] = [
  {
    mayBeIn: (text) => /svc_|whsec_|sk-|earer |X-Amz-/.test(text),
    pattern: new RegExp(
      [
        String.raw`svc_(?:sk|pub)_\w+|whsec_[\w-]+|\bsk-[\w-]{16,}`,
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

/** Shorter ones are words, such as the password of a database on somebody's own machine. */
const SECRET_LENGTH = 16;

/**
 * Makes what takes secrets, e-mail addresses and IP addresses out of a text. It is the net beneath the rule that
 * none of them is logged: paths, and messages of servers, hold what others wrote.
 *
 * @param secrets the process's own, found as they are
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
