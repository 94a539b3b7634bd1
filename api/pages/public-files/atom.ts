import type { EntryView, FeedView } from './feed-view.ts';
import { sourceTypeElement } from './source-type-element.ts';
import { document, xml } from './xml.ts';

/** A feed as Atom (RFC 4287). */
export const atom = (feed: FeedView): string =>
  document(xml`<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${feed.locale}">
<id>${feed.feedUrl}</id>
<title>${feed.title}</title>
<updated>${feed.updated.toISOString()}</updated>
<link rel="self" type="application/atom+xml" href="${feed.feedUrl}"/>
<link rel="alternate" type="text/html" href="${feed.homeUrl}"/>
<author><name>${feed.siteName}</name></author>
${feed.entries.map(entryOf)}</feed>`);

const entryOf = (entry: EntryView) => xml`<entry>
<id>${entry.id}</id>
<title>${entry.title}</title>
<link rel="alternate" type="text/html" href="${entry.url}"/>
<published>${entry.published.toISOString()}</published>
<updated>${entry.updated.toISOString()}</updated>
${entry.author && xml`<author><name>${entry.author.name}</name><uri>${entry.author.url}</uri></author>\n`}${entry.labels.map(
  ({ name, slug }) => xml`<category term="${slug}" label="${name}"/>\n`,
)}${entry.excerpt === null ? null : xml`<summary>${entry.excerpt}</summary>\n`}${sourceTypeElement(entry)}${
  entry.html === null ? null : xml`<content type="html">${entry.html}</content>\n`
}</entry>
`;
