import { Parser } from 'htmlparser2';
import { pageAddress } from '../../domain/seo/address.ts';
import { decode } from './decode.ts';
import { limits } from './limits.ts';

export interface SitemapToRead {
  readonly bytes: Uint8Array;
  /** The origin whose pages are wanted. */
  readonly origin: string;
}

/** A sitemap: the addresses of pages, or of further sitemaps. */
export interface Sitemap {
  /** Those of the origin, each once. */
  readonly pages: readonly string[];
  readonly sitemaps: readonly string[];
  /** How many pages were looked at, of any origin. */
  readonly listed: number;
  /** Whether it is a sitemap, and was read to its end. */
  readonly whole: boolean;
}

const FURTHER = 1_000;

/** Reads a sitemap, an index of sitemaps, or a list of addresses in plain text; of anything else nothing. */
export function readSitemap({ bytes, origin }: SitemapToRead): Sitemap {
  const text = decode(bytes, 'text/xml');
  if (!text.trimStart().startsWith('<')) return plainSitemap(text.trim().split('\n'), origin);
  const found = { url: [] as string[], sitemap: [] as string[] };
  const path: string[] = [];
  let location: string | null = null;
  let ends = false;
  const parser = new Parser(
    {
      onopentag(name) {
        path.push(localName(name));
        if (path.at(-1) === 'loc') location = '';
      },
      ontext(part) {
        if (location !== null && location.length <= limits.url) location += part;
      },
      onclosetag(_, isImplied) {
        const closed = path.pop();
        const parent = path.at(-1);
        // An end that is not written means that the file is cut, but for an element without content.
        if (parent === undefined)
          ends = lists.has(closed ?? '') && (!isImplied || text.trimEnd().endsWith('/>'));
        if (closed !== 'loc' || location === null) return;
        if (parent === 'url' || parent === 'sitemap') found[parent].push(location);
        location = null;
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(text);
  const sitemaps = found.sitemap.slice(0, FURTHER).flatMap((written) => addressIn(written) ?? []);
  const { pages, listed } = pagesOf(found.url, origin);
  return { pages, listed, sitemaps: sitemaps.map(pageAddress), whole: ends && listed === found.url.length };
}

const lists = new Set(['urlset', 'sitemapindex']);

function plainSitemap(lines: readonly string[], origin: string): Sitemap {
  const { pages, listed } = pagesOf(lines, origin);
  const whole = addressIn(lines[0] ?? '') !== null && listed === lines.length;
  return { pages, listed, sitemaps: [], whole };
}

function pagesOf(written: readonly string[], origin: string): Pick<Sitemap, 'pages' | 'listed'> {
  const pages = new Set<string>();
  let listed = 0;
  for (const text of written) {
    if (listed >= limits.sitemapUrls || pages.size >= limits.sitemapPages) break;
    listed += 1;
    const url = addressIn(text);
    if (url?.origin === origin) pages.add(pageAddress(url));
  }
  return { pages: [...pages], listed };
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1).toLowerCase();

/** An absolute http(s) address; null for anything else. */
function addressIn(written: string): URL | null {
  const url = written.length <= limits.url ? URL.parse(written.trim()) : null;
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') ? url : null;
}
