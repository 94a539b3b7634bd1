import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { limits } from './limits.ts';
import type { Sitemap } from './read-sitemap.ts';
import { unread } from './unread.ts';
import type { Visit } from './visit.ts';

const FILES = 20;
/** Of an unpacked file: what the protocol of sitemaps allows would take too long. */
const UNPACKED_BYTES = 10 * 2 ** 20;

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
export async function readSitemaps(ports: SitemapPorts, origin: string): Promise<readonly string[]> {
  const named = (await ports.named()).flatMap((url) => URL.parse(url, origin)?.href ?? []);
  const waiting = named.length > 0 ? named : [`${origin}/sitemap.xml`];
  const seen = new Set<string>();
  const pages = new Set<string>();
  let listed = 0;
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if (seen.size >= FILES || pages.size >= limits.sitemapPages || listed >= limits.sitemapUrls) break;
    if (seen.has(next)) continue;
    seen.add(next);
    const sitemap = await readSitemap(ports, next);
    waiting.push(...sitemap.sitemaps);
    listed += sitemap.listed;
    for (const page of sitemap.pages) pages.add(page);
  }
  return [...pages].slice(0, limits.sitemapPages);
}

/** A file that cannot be fetched or read names nothing. */
async function readSitemap({ fetch, read }: SitemapPorts, url: string): Promise<Sitemap> {
  const visit = await fetch(url);
  if (visit.outcome !== 'answered' || visit.status < 200 || visit.status > 299) return unread.readSitemap;
  const isPacked = visit.body[0] === 0x1f && visit.body[1] === 0x8b;
  const bytes = isPacked
    ? await unpack(visit.body, { maxOutputLength: UNPACKED_BYTES }).catch(() => null)
    : visit.body;
  return bytes === null ? unread.readSitemap : read(bytes);
}
