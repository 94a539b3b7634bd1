import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { isGone } from '../../domain/seo/pages/backlink-rules.ts';
import { limits } from './limits.ts';
import type { Sitemap } from './read-sitemap.ts';
import { unread } from './unread.ts';
import type { Visit } from './visit.ts';

const FILES = 20;
/** Of an unpacked file: the limit of the protocol would take too long. */
const UNPACKED_BYTES = 10 * 2 ** 20;

/** The pages that the sitemaps of an origin name. */
export interface SitemapPages {
  readonly pages: readonly string[];
  /** Whether they were all read to their end; also if there are none. */
  readonly whole: boolean;
}

interface SitemapPorts {
  readonly named: () => Promise<readonly string[]>;
  readonly fetch: (url: string) => Promise<Visit>;
  readonly read: (bytes: Uint8Array) => Promise<Sitemap>;
}

const unpack = promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip);

/**
 * The pages of an origin that its sitemaps name, in a bounded number: those of its robots.txt, else `/sitemap.xml`, and
 * of their indexes.
 */
export async function readSitemaps(ports: SitemapPorts, origin: string): Promise<SitemapPages> {
  const named = (await ports.named()).flatMap((url) => URL.parse(url, origin)?.href ?? []);
  const waiting = named.length > 0 ? named : [`${origin}/sitemap.xml`];
  const seen = new Set<string>();
  const pages = new Set<string>();
  let listed = 0;
  let whole = true;
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if (seen.has(next)) continue;
    const isFull = seen.size >= FILES || pages.size >= limits.sitemapPages || listed >= limits.sitemapUrls;
    if (isFull) {
      whole = false;
      break;
    }
    seen.add(next);
    const sitemap = await readSitemap(ports, next);
    waiting.push(...sitemap.sitemaps);
    listed += sitemap.listed;
    whole &&= sitemap.whole;
    for (const page of sitemap.pages) pages.add(page);
  }
  return {
    pages: [...pages].slice(0, limits.sitemapPages),
    whole: whole && pages.size <= limits.sitemapPages,
  };
}

/** A file that is not there, or cannot be fetched or read, names nothing. */
async function readSitemap({ fetch, read }: SitemapPorts, url: string): Promise<Sitemap> {
  const visit = await fetch(url);
  if (visit.outcome !== 'answered') return unread.readSitemap;
  if (isGone(visit.status)) return { ...unread.readSitemap, whole: true };
  if (visit.status < 200 || visit.status > 299) return unread.readSitemap;
  const isPacked = visit.body[0] === 0x1f && visit.body[1] === 0x8b;
  const bytes = isPacked
    ? await unpack(visit.body, { maxOutputLength: UNPACKED_BYTES }).catch(() => null)
    : visit.body;
  return bytes === null ? unread.readSitemap : read(bytes);
}
