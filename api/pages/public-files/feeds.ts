import { ServiceError, unavailable } from '../../../domain/kernel/errors.ts';
import { readFeed } from '../../../domain/delivery/feed.ts';
import type { Feed } from '../../../domain/delivery/feed.ts';
import { publicUrl } from '../../../domain/purge/public-urls.ts';
import type { NamedTerm } from '../../../domain/purge/public-urls.ts';
import { contentHtml } from '../../resources/articles/content-html.ts';
import type { Ports } from '../../framework/ports.ts';
import { atom } from './atom.ts';
import { feedView } from './feed-view.ts';
import type { FeedView } from './feed-view.ts';
import type { MadeFile } from './kept-files.ts';
import { jsonFeed } from './json-feed.ts';
import { rss } from './rss.ts';

/** The formats of feeds, by the names of their files. */
export const feedFormats: Readonly<Record<string, { type: string; write: (feed: FeedView) => string }>> = {
  'rss.xml': { type: 'application/rss+xml', write: rss },
  'atom.xml': { type: 'application/atom+xml', write: atom },
  'feed.json': { type: 'application/feed+json', write: jsonFeed },
};

/** The most characters of all rendered contents. */
const HTML_LENGTH = 4_000_000;
/** How long the contents of a feed may take. Renderings made by then are kept, so that the next request gets further. */
const RENDERING_MS = 10_000;

/**
 * @param path of the file, below the Site's folder
 * @returns null for a Site or a term that does not exist
 */
export async function makeFeed(
  ports: Pick<Ports, 'db' | 'renderer' | 'log'>,
  siteId: string,
  term: NamedTerm | null,
  write: (feed: FeedView) => string,
  feedUrl: string,
): Promise<MadeFile | null> {
  const feed = await readFeed(ports.db, siteId, term);
  if (feed === null) return null;
  const { contents, isIncomplete } = await renderContents(ports, siteId, feed);
  return { version: feed.version, text: write(feedView(feed, term, feedUrl, contents)), isIncomplete };
}

/** Renders one after another: a feed has no more of the renderer than an article. */
async function renderContents(
  ports: Pick<Ports, 'renderer' | 'log'>,
  siteId: string,
  feed: Feed,
): Promise<{ contents: Map<string, string>; isIncomplete: boolean }> {
  const contents = new Map<string, string>();
  const startedAt = performance.now();
  let length = 0;
  let isIncomplete = false;
  for (const entry of feed.entries) {
    if (performance.now() - startedAt > RENDERING_MS)
      throw unavailable(new Error('The contents of a feed took too long'));
    const base = publicUrl(feed, 'article', entry.slug);
    const html = await contentHtml(ports, siteId, entry, { base }).catch(nullIfRefused);
    isIncomplete ||= html === null && entry.content !== null;
    length += html?.length ?? 0;
    if (html !== null && length <= HTML_LENGTH) contents.set(entry.id, html);
  }
  return { contents, isIncomplete };
}

/** An article that cannot be rendered is shown by its excerpt. */
function nullIfRefused(error: unknown): null {
  if (error instanceof ServiceError && error.code === 'VALIDATION_FAILED') return null;
  throw error;
}
