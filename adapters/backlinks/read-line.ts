import { createHash } from 'node:crypto';
import { articleSlugOf, homeUrl } from '../../domain/purge/public-urls.ts';
import type { Blog } from '../../domain/purge/public-urls.ts';
import type { ColumnName, Columns } from '../../domain/seo/backlinks/columns.ts';
import { readDate } from '../../domain/seo/backlinks/dates.ts';
import type { ReadLink } from '../../domain/seo/backlinks/link.ts';
import { reversedHost } from '../../domain/seo/backlinks/reversed-host.ts';
import { isWebUrl } from '../../packages/base/url-form.ts';

/** As everywhere in the contract. */
const URL_LENGTH = 2_000;
/** The beginning of a long text identifies a link as well. */
const ANCHOR_LENGTH = 1_000;
const REL_LENGTH = 50;
const RELS = 10;

const yes = /^(?:1|true|yes|y|x|ja|wahr|oui|vrai|si|sí|verdadero|nofollow|ugc|sponsored)$/i;

/** A line as a link, or its mistake. */
export function readLine(
  record: readonly string[],
  columns: Columns,
  blog: Blog,
): ReadLink | { readonly wrong: string } {
  const cell = (name: ColumnName): string | null => {
    const at = columns[name];
    return at === undefined ? null : (record[at] ?? '').trim();
  };
  const sourceUrl = cell('source') ?? '';
  const targetUrl = cell('target') ?? homeUrl(blog);
  const wrong = wrongWith('source', sourceUrl) ?? wrongWith('target', targetUrl);
  if (wrong !== null) return { wrong };
  const [source, target] = [new URL(sourceUrl), new URL(targetUrl)];
  const anchor = cell('anchor');
  return {
    key: keyOf(source, target),
    sourceUrl,
    targetUrl,
    reversedHost: reversedHost(source.hostname),
    anchor:
      anchor &&
      Array.from(anchor.slice(0, 2 * ANCHOR_LENGTH))
        .slice(0, ANCHOR_LENGTH)
        .join(''),
    rel: relOf(cell),
    slug: articleSlugOf(blog, targetUrl),
    firstSeen: readDate(cell('firstSeen') ?? ''),
    lastSeen: readDate(cell('lastSeen') ?? ''),
  };
}

function wrongWith(what: 'source' | 'target', url: string): string | null {
  if (url === '') return `has no ${what} URL`;
  if (url.length > URL_LENGTH) return `has a ${what} URL of more than ${URL_LENGTH} characters`;
  return isWebUrl(url) ? null : `has a ${what} URL that is no http or https address`;
}

/** Two spellings of the same addresses, as by capitals of a host, are one link. */
function keyOf(source: URL, target: URL): string {
  const digest = createHash('sha256').update(`${source.href}\n${target.href}`).digest('hex');
  return digest.slice(0, 32);
}

/** The attributes of a link; null if the file does not tell. */
function relOf(cell: (name: ColumnName) => string | null): readonly string[] | null {
  const written = cell('rel');
  const flags = (['nofollow', 'ugc', 'sponsored'] as const).filter((name) => yes.test(cell(name) ?? ''));
  const told = (['rel', 'nofollow', 'ugc', 'sponsored'] as const).some((name) => cell(name) !== null);
  if (!told) return null;
  const tokens = (written ?? '').toLowerCase().split(/[\s,|;]+/);
  const all = [...tokens, ...flags].filter((token) => token !== '' && token.length <= REL_LENGTH);
  return [...new Set(all)].slice(0, RELS);
}
