import type { Html } from '../../http/html.ts';
import type { EntryView } from './feed-view.ts';
import { xml } from './xml.ts';

/** Where a text comes from, in a feed: neither RSS nor Atom has an element for that. */
export const sourceTypeElement = ({ sourceType }: EntryView): Html | null =>
  sourceType === null
    ? null
    : xml`<schema:digitalSourceType xmlns:schema="https://schema.org/">${sourceType}</schema:digitalSourceType>\n`;
