import { XMLParser } from 'fast-xml-parser';
import { UsageError } from '../../../command/usage.ts';

/** The used parts of WordPress eXtended RSS. Texts are as WordPress stores them, mostly HTML. */
export interface Wxr {
  readonly title: string;
  readonly url: string;
  readonly authors: readonly { readonly login: string; readonly name: string }[];
  readonly categories: readonly WxrTerm[];
  readonly tags: readonly WxrTerm[];
  readonly items: readonly WxrItem[];
}

export interface WxrTerm {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
}

export interface WxrItem {
  readonly id: string;
  readonly type: string;
  readonly status: string;
  readonly title: string;
  readonly link: string;
  readonly slug: string;
  readonly creator: string;
  readonly content: string;
  readonly excerpt: string;
  readonly password: string;
  readonly parent: string;
  readonly attachmentUrl: string;
  /** `2014-03-12 10:20:30` in UTC; `0000-00-00 00:00:00` for none. */
  readonly dateGmt: string;
  /** The same in the timezone of the blog. */
  readonly date: string;
  readonly modifiedGmt: string;
  readonly terms: readonly { readonly domain: string; readonly slug: string; readonly name: string }[];
  readonly meta: ReadonlyMap<string, string>;
  readonly comments: number;
}

type Xml = Readonly<Record<string, unknown>>;

const LISTS = new Set([
  'item',
  'category',
  'wp:author',
  'wp:category',
  'wp:tag',
  'wp:postmeta',
  'wp:comment',
]);

/**
 * Reads an export. The parser limits the expansion of entities, and loads no external ones.
 *
 * @throws UsageError if it is not an export, or is truncated
 */
export function readWxr(xml: string): Wxr {
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    parseTagValue: false,
    trimValues: false,
    isArray: (name) => LISTS.has(name),
  });
  let document: Xml;
  try {
    document = objectOf(parser.parse(xml));
  } catch (error) {
    throw new UsageError(`it is not well-formed XML (${(error as Error).message.slice(0, 300)}).`);
  }
  const channel = objectOf(objectOf(document['rss'])['channel']);
  if (textOf(channel['wp:wxr_version']) === '') {
    throw new UsageError('it is not a WordPress export. Export again under Tools, Export, All content.');
  }
  if (!/<\/rss>\s*(?:<!--[^]*)?$/.test(xml.slice(-2_000))) {
    throw new UsageError('it is truncated: it does not end with </rss>. Export again.');
  }
  return {
    title: textOf(channel['title']),
    url:
      textOf(channel['wp:base_blog_url']) || textOf(channel['link']) || textOf(channel['wp:base_site_url']),
    authors: listOf(channel['wp:author']).map((author) => ({
      login: textOf(author['wp:author_login']),
      name: textOf(author['wp:author_display_name']) || textOf(author['wp:author_login']),
    })),
    categories: listOf(channel['wp:category']).map((term) => ({
      id: textOf(term['wp:term_id']),
      slug: textOf(term['wp:category_nicename']),
      name: textOf(term['wp:cat_name']),
    })),
    tags: listOf(channel['wp:tag']).map((term) => ({
      id: textOf(term['wp:term_id']),
      slug: textOf(term['wp:tag_slug']),
      name: textOf(term['wp:tag_name']),
    })),
    items: listOf(channel['item']).map(itemOf),
  };
}

function itemOf(item: Xml): WxrItem {
  return {
    id: textOf(item['wp:post_id']),
    type: textOf(item['wp:post_type']),
    status: textOf(item['wp:status']),
    title: textOf(item['title']),
    link: textOf(item['link']),
    slug: textOf(item['wp:post_name']),
    creator: textOf(item['dc:creator']),
    content: rawText(item['content:encoded']),
    excerpt: textOf(item['excerpt:encoded']),
    password: textOf(item['wp:post_password']),
    parent: textOf(item['wp:post_parent']),
    attachmentUrl: textOf(item['wp:attachment_url']) || textOf(item['guid']),
    dateGmt: textOf(item['wp:post_date_gmt']),
    date: textOf(item['wp:post_date']),
    modifiedGmt: textOf(item['wp:post_modified_gmt']),
    terms: listOf(item['category']).map((term) => ({
      domain: textOf(term['@domain']),
      slug: textOf(term['@nicename']),
      name: textOf(term),
    })),
    meta: new Map(
      listOf(item['wp:postmeta']).map((meta) => [textOf(meta['wp:meta_key']), textOf(meta['wp:meta_value'])]),
    ),
    comments: listOf(item['wp:comment']).length,
  };
}

const objectOf = (value: unknown): Xml => (typeof value === 'object' && value !== null ? (value as Xml) : {});

/** Repeatable elements; the parser gives one without children or attributes as a string. */
const listOf = (value: unknown): readonly Xml[] =>
  (Array.isArray(value) ? (value as unknown[]) : []).map((item) =>
    typeof item === 'string' ? { '#text': item } : objectOf(item),
  );

const textOf = (value: unknown): string => rawText(value).trim();

function rawText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return rawText(value[0]);
  const text = objectOf(value)['#text'];
  return typeof text === 'string' ? text : '';
}
