import { normalOctets } from '../../domain/seo/address.ts';

/** A rule of robots.txt: the longest pattern that matches an address decides about it. */
interface RobotsRule {
  readonly allow: boolean;
  /** Percent-encoding in one form; with `*` for any text, and `$` at its end for the end of the address. */
  readonly pattern: string;
}

export interface Robots {
  readonly rules: readonly RobotsRule[];
  /** Addresses of sitemaps, as they are written. */
  readonly sitemaps: readonly string[];
}

const SITEMAPS = 50;

/**
 * Reads the rules of robots.txt for a crawler (RFC 9309). Its groups are those that name the crawler's product token,
 * joined; without any, those for every crawler.
 */
export function readRobots(text: string, product: string): Robots {
  const groups = { own: [] as RobotsRule[], all: [] as RobotsRule[] };
  const sitemaps: string[] = [];
  let named = false;
  let current = { own: false, all: false, begun: false };
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)) {
    const [field, value] = fieldOf(line);
    if (field === 'user-agent') {
      // Further names belong to the same group until its first rule.
      if (current.begun) current = { own: false, all: false, begun: false };
      if (value === '*') current.all = true;
      else if (tokenOf(value) === product.toLowerCase()) {
        current.own = true;
        named = true;
      }
    } else if (field === 'allow' || field === 'disallow') {
      current.begun = true;
      const rule = { allow: field === 'allow', pattern: normalised(value.replace(/\$(?!$)/g, '%24')) };
      if (value === '') continue;
      if (current.own) groups.own.push(rule);
      if (current.all) groups.all.push(rule);
    } else if (field === 'sitemap' && sitemaps.length < SITEMAPS) sitemaps.push(value);
  }
  return { rules: named ? groups.own : groups.all, sitemaps };
}

function fieldOf(line: string): readonly [field: string, value: string] {
  const [content = ''] = line.split('#', 1);
  const colon = content.indexOf(':');
  if (colon === -1) return ['', ''];
  return [content.slice(0, colon).trim().toLowerCase(), content.slice(colon + 1).trim()];
}

/** A product token ends before its version and before a space. */
const tokenOf = (value: string): string => (/^[a-z_-]+/i.exec(value)?.[0] ?? value).toLowerCase();

/** Whether a crawler may fetch an address. The robots.txt itself is always allowed. */
export function allows({ rules }: Pick<Robots, 'rules'>, url: URL): boolean {
  if (url.pathname === '/robots.txt') return true;
  const path = normalised(url.pathname + url.search)
    .replaceAll('*', '%2A')
    .replaceAll('$', '%24');
  let longest = -1;
  let allowed = true;
  for (const { allow, pattern } of rules) {
    if (pattern.length < longest || (pattern.length === longest && allowed)) continue;
    if (!matches(pattern, path)) continue;
    longest = pattern.length;
    allowed = allow;
  }
  return allowed;
}

/** Each text between wildcards is looked for after the one before; the first place found is as good as any. */
function matches(pattern: string, path: string): boolean {
  const toEnd = pattern.endsWith('$');
  const [first = '', ...parts] = (toEnd ? pattern.slice(0, -1) : pattern).split('*');
  if (!path.startsWith(first)) return false;
  const last = parts.pop();
  if (last === undefined) return !toEnd || path.length === first.length;
  let from = first.length;
  for (const part of parts) {
    const at = path.indexOf(part, from);
    if (at === -1) return false;
    from = at + part.length;
  }
  if (toEnd) return path.length - last.length >= from && path.endsWith(last);
  return path.includes(last, from);
}

/** One form for the same octets: characters outside ASCII encoded, unreserved ones plain, digits in upper case. */
function normalised(path: string): string {
  const encoded = path.replace(/[^\u0021-\u007E]/gu, (character) =>
    encodeURIComponent(character.isWellFormed() ? character : '\uFFFD'),
  );
  return normalOctets(encoded);
}
