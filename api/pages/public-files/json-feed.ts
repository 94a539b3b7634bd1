import type { EntryView, FeedView } from './feed-view.ts';

/** A feed as JSON Feed 1.1. */
export const jsonFeed = (feed: FeedView): string =>
  JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: feed.title,
    home_page_url: feed.homeUrl,
    feed_url: feed.feedUrl,
    language: feed.locale,
    items: feed.entries.map(item),
  });

const item = (entry: EntryView) => ({
  id: entry.id,
  url: entry.url,
  title: entry.title,
  ...(entry.excerpt === null ? {} : { summary: entry.excerpt }),
  // An item has to have a content.
  ...(entry.html === null ? { content_text: entry.excerpt ?? entry.title } : { content_html: entry.html }),
  ...(entry.imageUrl === null ? {} : { image: entry.imageUrl }),
  date_published: entry.published.toISOString(),
  date_modified: entry.updated.toISOString(),
  ...(entry.author === null ? {} : { authors: [{ name: entry.author.name, url: entry.author.url }] }),
  ...(entry.sourceType === null ? {} : { _presswork: { digital_source_type: entry.sourceType } }),
  ...(entry.labels.length === 0 ? {} : { tags: entry.labels.map(({ name }) => name) }),
});
