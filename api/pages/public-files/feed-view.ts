import { digitalSourceType } from '../../../domain/articles/origin.ts';
import { homeUrl, publicUrl } from '../../../domain/purge/public-urls.ts';
import type { NamedTerm } from '../../../domain/purge/public-urls.ts';
import type { Feed, FeedEntry } from '../../../domain/delivery/feed.ts';

/** The content of a feed, apart from its format. */
export interface FeedView {
  readonly title: string;
  readonly homeUrl: string;
  readonly feedUrl: string;
  readonly siteName: string;
  readonly locale: string;
  readonly updated: Date;
  readonly entries: readonly EntryView[];
}

export interface Labelled {
  readonly name: string;
  readonly slug: string;
}

export interface EntryView extends Pick<FeedEntry, 'title' | 'excerpt'> {
  /** Stays when the slug changes. */
  readonly id: string;
  readonly url: string;
  readonly imageUrl: string | null;
  readonly published: Date;
  readonly updated: Date;
  readonly author: (Labelled & { readonly url: string }) | null;
  /** Its category and tags. */
  readonly labels: readonly Labelled[];
  /** The whole article; null if the feed does not contain it. */
  readonly html: string | null;
  /** null if the Site says nothing of it. */
  readonly sourceType: string | null;
}

/** @param contents the rendered contents, by the ids of their articles */
export function feedView(
  feed: Feed,
  term: NamedTerm | null,
  feedUrl: string,
  contents: ReadonlyMap<string, string>,
): FeedView {
  const entries = feed.entries.map((entry) => entryView(feed, entry, contents.get(entry.id) ?? null));
  const latest = Math.max(feed.created_at.getTime(), ...entries.map(({ updated }) => updated.getTime()));
  return {
    title: feed.term === null ? feed.name : `${feed.term.name} – ${feed.name}`,
    homeUrl: term === null ? homeUrl(feed) : publicUrl(feed, term.kind, term.slug),
    feedUrl,
    siteName: feed.name,
    locale: feed.locale,
    updated: new Date(latest),
    entries,
  };
}

const entryView = (feed: Feed, entry: FeedEntry, html: string | null): EntryView => ({
  id: `urn:uuid:${entry.id}`,
  url: publicUrl(feed, 'article', entry.slug),
  title: entry.title,
  excerpt: entry.excerpt,
  imageUrl: entry.featured_image_url,
  published: new Date(entry.published_at),
  updated: new Date(entry.updated_at),
  author: entry.author && { ...entry.author, url: publicUrl(feed, 'author', entry.author.slug) },
  labels: [...(entry.category === null ? [] : [entry.category]), ...entry.tags],
  html,
  sourceType: digitalSourceType(feed.ai_disclosure, entry.origin),
});
