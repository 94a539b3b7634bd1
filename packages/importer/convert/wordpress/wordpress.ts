import { createHash } from 'node:crypto';
import { parseDateTime } from '../../../base/date-time.ts';
import type { Blog, BlogPost, BlogTerm } from '../blog.ts';
import { plainText } from '../dom.ts';
import { inFile } from '../export-file.ts';
import type { ExportFile } from '../export-file.ts';
import type { EntryReport, Report } from '../report.ts';
import { decoded } from '../slugs.ts';
import { contentOf } from './content.ts';
import type { Library } from './content.ts';
import { seoOf } from './seo.ts';
import { readWxr } from './wxr.ts';
import type { Wxr, WxrItem } from './wxr.ts';

/** Types that are not pages of their own. */
const INTERNAL = new Set(
  `attachment nav_menu_item revision custom_css customize_changeset oembed_cache user_request wp_block wp_template
   wp_template_part wp_global_styles wp_navigation wp_font_family wp_font_face`.split(/\s+/),
);
/** WordPress's category of posts without a category. */
const NO_CATEGORY = 'uncategorized';

/** Reads a WordPress export (WXR). @throws UsageError if it is not one */
export function readWordPress(files: readonly ExportFile[], url: string | null, report: Report): Blog {
  const wxr = joined(files.map(({ path, text }) => inFile(path, () => readWxr(text))));
  const site = url ?? (wxr.url || null);
  const library = libraryOf(wxr);
  const posts = wxr.items.filter((item) => isPost(item, report));
  report.leftOut(
    'comment',
    posts.reduce((sum, { comments }) => sum + comments, 0),
  );
  const read = posts.map((post) => postOf(post, wxr, library, site, report));
  return {
    name: plainText(wxr.title) || null,
    url: site,
    authors: authorsOf(wxr, posts),
    ...termsOf(wxr, posts, read),
    posts: read,
  };
}

/** WordPress divides a large export into files, which refer to each other. */
function joined(parts: readonly Wxr[]): Wxr {
  const [first] = parts as [Wxr];
  return {
    ...first,
    authors: parts.flatMap(({ authors }) => authors),
    categories: parts.flatMap(({ categories }) => categories),
    tags: parts.flatMap(({ tags }) => tags),
    items: parts.flatMap(({ items }) => items),
  };
}

function isPost(item: WxrItem, report: Report): boolean {
  const { type, status } = item;
  if (type === 'post' && status === 'trash') {
    report.leftOut('post in the trash');
    report.entry('post', nameOf(item)).note('left out: it is in the trash');
    return false;
  }
  if (type === 'post') return status !== 'auto-draft' && status !== 'inherit';
  if (INTERNAL.has(type)) return false;
  report.leftOut(type || 'item without a type');
  report.entry(type || 'item', nameOf(item)).note('left out: only posts become articles');
  return false;
}

const nameOf = ({ title, slug, id }: WxrItem): string => plainText(title) || slug || id;

function postOf(item: WxrItem, wxr: Wxr, library: Library, site: string | null, report: Report): BlogPost {
  const about = report.entry('post', nameOf(item));
  const title = plainText(item.title);
  const excerpt = plainText(item.excerpt);
  const filed = filing(item, wxr, about);
  const category = wxr.categories.find(({ slug }) => slug === filed.category)?.name ?? '';
  const seo = seoOf(item.meta, { title, site: plainText(wxr.title), excerpt, category: plainText(category) });
  for (const name of seo.unknown)
    about.note(`its SEO text uses the unknown variable "${name}", and is left out`);
  return {
    report: about,
    externalId: externalId(item, wxr.url),
    status: statusOf(item, about),
    title,
    slug: decoded(item.slug),
    fallbackSlug: `post-${item.id}`,
    content: () => contentOf(item, library, URL.canParse(item.link) ? item.link : site, about),
    excerpt,
    seoTitle: plainText(seo.title),
    seoDescription: plainText(seo.description),
    image: featuredImage(item, library, about),
    author: item.creator || null,
    ...filed,
    publishedAt: publishedAt(item, about),
    updatedAt: timeOf(item.modifiedGmt),
  };
}

/** The id contains the blog's URL, because every blog numbers its posts from 1. */
function externalId({ id }: WxrItem, blog: string): string {
  if (id === '') return '';
  const { host, pathname } = URL.parse(blog) ?? { host: 'wordpress', pathname: '/' };
  return `${host}${pathname.replace(/\/$/, '')}/?p=${id}`;
}

function statusOf({ status, password, date }: WxrItem, report: EntryReport): 'published' | 'draft' {
  if (status === 'publish' && password !== '') {
    report.note('has a password; it becomes a draft, so that it is not public');
    return 'draft';
  }
  if (status === 'publish') return 'published';
  if (status === 'private') report.note('is private; it becomes a draft');
  else if (status === 'future')
    report.note(`was scheduled for ${date}; it becomes a draft: schedule it again`);
  else if (status !== 'draft') report.note(`its status is "${status}"; it becomes a draft`);
  return 'draft';
}

const timeOf = (value: string): Date | null => parseDateTime(`${value.replace(' ', 'T')}Z`);

function publishedAt({ status, dateGmt, date }: WxrItem, report: EntryReport): Date | null {
  if (status !== 'publish') return null;
  const time = timeOf(dateGmt);
  if (time !== null) return time;
  const local = timeOf(date);
  if (local !== null) report.note('its time has no offset; it is interpreted as UTC');
  return local;
}

function featuredImage({ meta }: WxrItem, library: Library, report: EntryReport): BlogPost['image'] {
  const id = meta.get('_thumbnail_id');
  if (id === undefined || id === '' || id === '0' || id === '-1') return null;
  const image = library.images.get(id);
  if (image === undefined) report.note('its featured image is not in the export; export all content');
  return image ?? null;
}

/** An article has one category; the others become tags. */
function filing(item: WxrItem, wxr: Wxr, report: EntryReport): { category: string | null; tags: string[] } {
  const slugs = (domains: readonly string[]): string[] => [
    ...new Set(
      item.terms.flatMap(({ domain, slug }) => (domains.includes(domain) && slug !== '' ? [slug] : [])),
    ),
  ];
  const categories = slugs(['category']).filter((slug) => slug !== NO_CATEGORY);
  const tags = slugs(['post_tag', 'tag']);
  const main = item.meta.get('_yoast_wpseo_primary_category') ?? item.meta.get('rank_math_primary_category');
  const primary = wxr.categories.find(({ id, slug }) => id === main && categories.includes(slug))?.slug;
  const category = primary ?? categories[0] ?? null;
  const others = categories.filter((slug) => slug !== category);
  if (others.length > 0) {
    report.note(
      `is in ${categories.length} categories; "${category}" is kept, and these become tags: ${others.join(', ')}`,
    );
  }
  const custom = new Set(item.terms.map(({ domain }) => domain));
  for (const known of ['category', 'post_tag', 'tag', 'post_format', '']) custom.delete(known);
  if (custom.size > 0) report.note(`its terms of ${[...custom].join(', ')} are left out`);
  return { category, tags: [...tags, ...others.filter((slug) => !tags.includes(slug))] };
}

/** The terms that the export lists, and those that only posts refer to. */
function termsOf(
  wxr: Wxr,
  posts: readonly WxrItem[],
  read: readonly BlogPost[],
): Pick<Blog, 'categories' | 'tags'> {
  const filed = posts.flatMap(({ terms }) => terms);
  const ids = new Map([...wxr.categories, ...wxr.tags].map(({ slug, id }) => [slug, id]));
  const categoryNames = namesOf([...filed.filter(({ domain }) => domain === 'category'), ...wxr.categories]);
  const tagNames = namesOf([...filed.filter(({ domain }) => domain !== 'category'), ...wxr.tags]);
  const make = (
    kind: 'category' | 'tag',
    slugs: Iterable<string>,
    names: ReadonlyMap<string, string>,
  ): BlogTerm[] =>
    [...new Set(slugs)]
      .filter((slug) => slug !== '')
      .map((slug) => ({
        key: slug,
        slug: decoded(slug),
        name: plainText(names.get(slug) ?? decoded(slug)),
        fallbackSlug: `${kind}-${ids.get(slug) || hashOf(slug)}`,
      }));
  return {
    categories: make(
      'category',
      [
        ...wxr.categories.flatMap(({ slug }) => (slug === NO_CATEGORY ? [] : [slug])),
        ...read.flatMap(({ category }) => category ?? []),
      ],
      categoryNames,
    ),
    tags: make(
      'tag',
      [...wxr.tags.map(({ slug }) => slug), ...read.flatMap(({ tags }) => tags)],
      new Map([...categoryNames, ...tagNames]),
    ),
  };
}

/** Eight digits that are the same in each export, for a term whose id is not in it. */
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8);

const namesOf = (terms: readonly { readonly slug: string; readonly name: string }[]): Map<string, string> =>
  new Map(terms.flatMap(({ slug, name }): [string, string][] => (name === '' ? [] : [[slug, name]])));

function authorsOf(wxr: Wxr, posts: readonly WxrItem[]): Blog['authors'] {
  const names = new Map(wxr.authors.map(({ login, name }) => [login, plainText(name)]));
  const logins = new Set([...names.keys(), ...posts.map(({ creator }) => creator)]);
  logins.delete('');
  return [...logins].map((login) => ({
    ref: login,
    name: names.get(login) || login,
    bio: null,
    avatarUrl: null,
  }));
}

function libraryOf({ items }: Wxr): Library {
  const images = new Map<string, { url: string; alt: string; caption: string }>();
  const imagesOf = new Map<string, string[]>();
  const reusable = new Map<string, string>();
  for (const { id, type, parent, attachmentUrl: url, meta, excerpt, content } of items) {
    if (type === 'wp_block') reusable.set(id, content);
    if (type !== 'attachment') continue;
    images.set(id, {
      url,
      alt: plainText(meta.get('_wp_attachment_image_alt') ?? ''),
      caption: plainText(excerpt),
    });
    if (!/\.(?:jpe?g|png|gif|webp|avif)$/i.test(url)) continue;
    const siblings = imagesOf.get(parent);
    if (siblings === undefined) imagesOf.set(parent, [id]);
    else siblings.push(id);
  }
  return { images, imagesOf, reusable };
}
