import { Parser } from 'htmlparser2';
import { pageAddress } from '../../domain/seo/pages/address.ts';
import { decode } from './decode.ts';
import { limits } from './limits.ts';

/** A sitemap: the addresses of pages, or of further sitemaps. */
export interface Sitemap {
  readonly pages: readonly string[];
  readonly sitemaps: readonly string[];
}

const FURTHER = 1_000;

/** Reads a sitemap, an index of sitemaps, or a list of addresses in plain text; of anything else nothing. */
export function readSitemap({ bytes }: { readonly bytes: Uint8Array }): Sitemap {
  const text = decode(bytes, 'text/xml');
  if (!text.trimStart().startsWith('<'))
    return { pages: addresses(text.split('\n'), limits.sitemapUrls), sitemaps: [] };
  const found = { url: [] as string[], sitemap: [] as string[] };
  const path: string[] = [];
  let location: string | null = null;
  const parser = new Parser(
    {
      onopentag(name) {
        path.push(localName(name));
        if (path.at(-1) === 'loc') location = '';
      },
      ontext(part) {
        if (location !== null && location.length <= limits.url) location += part;
      },
      onclosetag() {
        const closed = path.pop();
        const parent = path.at(-1);
        if (closed !== 'loc' || location === null) return;
        if (parent === 'url' || parent === 'sitemap') found[parent].push(location);
        location = null;
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(text);
  return { pages: addresses(found.url, limits.sitemapUrls), sitemaps: addresses(found.sitemap, FURTHER) };
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1).toLowerCase();

/** Those that are absolute http(s) addresses, without fragments. */
function addresses(written: readonly string[], most: number): string[] {
  const found: string[] = [];
  for (const text of written) {
    if (found.length >= most) break;
    const url = text.length <= limits.url ? URL.parse(text.trim()) : null;
    if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) continue;
    found.push(pageAddress(url));
  }
  return found;
}
