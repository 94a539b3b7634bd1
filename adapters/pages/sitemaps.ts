import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { JobTooLarge } from '../jobs/processes.ts';
import type { Sitemap } from './read-sitemap.ts';
import type { Visit } from './visit.ts';

const FILES = 20;
const PAGES = 10_000;
/** Of an unpacked file: what the protocol of sitemaps allows would take too long. */
const UNPACKED_BYTES = 10 * 2 ** 20;

interface SitemapPorts {
  readonly named: () => Promise<readonly string[]>;
  readonly fetch: (url: string) => Promise<Visit>;
  readonly read: (bytes: Uint8Array) => Promise<Sitemap>;
}

const unpack = promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip);

/** The pages of an origin that its sitemaps name: those of its robots.txt, else `/sitemap.xml`, and of their indexes. */
export async function readSitemaps(ports: SitemapPorts, origin: string): Promise<readonly string[]> {
  const named = (await ports.named()).flatMap((url) => URL.parse(url, origin)?.href ?? []);
  const waiting = named.length > 0 ? named : [`${origin}/sitemap.xml`];
  const seen = new Set<string>();
  const pages = new Set<string>();
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if (seen.size >= FILES || pages.size >= PAGES) break;
    if (seen.has(next)) continue;
    seen.add(next);
    const sitemap = await readSitemap(ports, next);
    waiting.push(...sitemap.sitemaps);
    for (const page of sitemap.pages)
      if (pages.size < PAGES && new URL(page).origin === origin) pages.add(page);
  }
  return [...pages];
}

const none: Sitemap = { pages: [], sitemaps: [] };

/** A file that cannot be fetched or read names nothing. */
async function readSitemap({ fetch, read }: SitemapPorts, url: string): Promise<Sitemap> {
  const visit = await fetch(url);
  if (visit.outcome !== 'answered' || visit.status < 200 || visit.status > 299) return none;
  const isPacked = visit.body[0] === 0x1f && visit.body[1] === 0x8b;
  const bytes = isPacked
    ? await unpack(visit.body, { maxOutputLength: UNPACKED_BYTES }).catch(() => null)
    : visit.body;
  if (bytes === null) return none;
  try {
    return await read(bytes);
  } catch (error) {
    if (error instanceof JobTooLarge) return none;
    throw error;
  }
}
