import type { EntryView, FeedView } from './feed-view.ts';
import { sourceTypeElement } from './source-type-element.ts';
import { document, xml } from './xml.ts';

/** A feed as RSS 2.0. */
export const rss = (feed: FeedView): string =>
  document(xml`<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel>
<title>${feed.title}</title>
<link>${feed.homeUrl}</link>
<description>${feed.title}</description>
<language>${feed.locale}</language>
<lastBuildDate>${feed.updated.toUTCString()}</lastBuildDate>
<atom:link rel="self" type="application/rss+xml" href="${feed.feedUrl}"/>
${feed.entries.map(item)}</channel></rss>`);

const item = (entry: EntryView) => xml`<item>
<title>${entry.title}</title>
<link>${entry.url}</link>
<guid isPermaLink="false">${entry.id}</guid>
<pubDate>${entry.published.toUTCString()}</pubDate>
${entry.author && xml`<dc:creator>${entry.author.name}</dc:creator>\n`}${entry.labels.map(({ name }) => xml`<category>${name}</category>\n`)}${
  entry.excerpt === null ? null : xml`<description>${entry.excerpt}</description>\n`
}${sourceTypeElement(entry)}${entry.html === null ? null : xml`<content:encoded>${entry.html}</content:encoded>\n`}</item>
`;
