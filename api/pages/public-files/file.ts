import type { PublicSite } from '../../../domain/delivery/public-site.ts';
import { cacheKey } from '../../../domain/purge/cache-keys.ts';
import { readOverview } from '../../../domain/delivery/overview.ts';
import { readSitemap, readSitemapPart } from '../../../domain/delivery/sitemap.ts';
import type { NamedTerm, PageKind } from '../../../domain/purge/public-urls.ts';
import type { Ports } from '../../framework/ports.ts';
import { feedFormats, makeFeed } from './feeds.ts';
import type { MadeFile } from './kept-files.ts';
import { sitemapIndex, urlSet } from './sitemap.ts';
import { llms, robots } from './texts.ts';

/** A public file of a Site. */
export interface PublicFile {
  readonly type: string;
  /** The keys by which a cache drops it. */
  readonly keys: (siteId: string) => readonly string[];
  /** @returns null if the Site has no such file */
  readonly make: (ports: Ports, site: PublicSite) => Promise<MadeFile | null>;
}

const feed = /^(?:(category|tag|author)\/([^/]+)\/)?(rss\.xml|atom\.xml|feed\.json)$/;
const part = /^sitemap-(article|category|tag|author)-([1-9]\d{0,5})\.xml$/;

const xmlType = 'application/xml';
const plainText = 'text/plain';

const ofContent = (siteId: string): readonly string[] => [
  cacheKey(siteId, 'site'),
  cacheKey(siteId, 'content'),
];
const ofTerm =
  ({ kind, slug }: NamedTerm) =>
  (siteId: string): readonly string[] => [
    cacheKey(siteId, 'site'),
    cacheKey(siteId, 'terms'),
    cacheKey(siteId, `${kind} ${slug}`),
  ];

/**
 * The public file with a path; null for a path that no Site has.
 *
 * @param path below the folder of the Site
 * @param baseUrl of this folder
 */
export function publicFile(path: string, baseUrl: string): PublicFile | null {
  const [, termKind, slug, format] = feed.exec(path) ?? [];
  if (format !== undefined) {
    const term = slug === undefined ? null : { kind: termKind as NamedTerm['kind'], slug };
    return feedFile(term, format, `${baseUrl}/${path}`);
  }
  const [, kind, number] = part.exec(path) ?? [];
  if (kind !== undefined) return sitemapPart(kind as PageKind, Number(number));
  return fixedFile(path, baseUrl);
}

function feedFile(term: NamedTerm | null, format: string, url: string): PublicFile | null {
  const { type, write } = feedFormats[format] as (typeof feedFormats)[string];
  return {
    type,
    keys: term === null ? ofContent : ofTerm(term),
    make: (ports, { id }) => makeFeed(ports, id, term, write, url),
  };
}

const sitemapPart = (kind: PageKind, number: number): PublicFile => ({
  type: xmlType,
  keys: ofContent,
  async make({ db }, { id }) {
    const found = await readSitemapPart(db, id, kind, number);
    return found === null || found.pages.length === 0
      ? null
      : { version: found.version, text: urlSet(found) };
  },
});

function fixedFile(path: string, baseUrl: string): PublicFile | null {
  switch (path) {
    case 'sitemap.xml':
      return sitemap(baseUrl);
    case 'llms.txt':
      return llmsText(baseUrl);
    case 'robots.txt':
      return {
        type: plainText,
        keys: (siteId) => [cacheKey(siteId, 'site')],
        make: async (_ports, { version }) => ({ version, text: robots(baseUrl) }),
      };
    default:
      return null;
  }
}

const sitemap = (baseUrl: string): PublicFile => ({
  type: xmlType,
  keys: ofContent,
  async make({ db }, { id }) {
    const found = await readSitemap(db, id);
    if (found === null) return null;
    const { pages, version } = found;
    return { version, text: pages === null ? sitemapIndex(found, baseUrl) : urlSet({ ...found, pages }) };
  },
});

const llmsText = (baseUrl: string): PublicFile => ({
  type: plainText,
  keys: ofContent,
  async make({ db }, { id }) {
    const found = await readOverview(db, id);
    return found && { version: found.version, text: llms(found, baseUrl) };
  },
});
