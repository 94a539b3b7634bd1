import type { Blog, BlogAuthor, BlogPost, BlogTerm } from './blog.ts';
import type { ImportArticle, ImportAuthor, ImportFile, ImportTerm } from './import-file.ts';
import type { EntryReport, Report } from './report.ts';
import { assignSlugs } from './slugs.ts';
import { cleanText, cut, isWebUrl, lengthOf } from './text.ts';

/** The limits of the API, in characters (docs/spec/rulings.md, 4 and 5). */
const LIMITS = {
  title: 300,
  content: 900_000,
  excerpt: 2_000,
  seoDescription: 1_000,
  alt: 1_000,
  name: 200,
  bio: 5_000,
};
const EXTERNAL_ID = 255;
const TAGS = 100;
/** In bytes. A request has at most 1 MiB, and the rest of the entry needs some of it. */
const CONTENT_BYTES = 1_000_000;

/** Converts a blog to the import format. Values that do not fit are adapted or left out, and reported. */
export function assemble(blog: Blog, report: Report, now: Date): ImportFile {
  const refs = new Set(blog.posts.map(({ author }) => author));
  const authors = blog.authors.filter(({ ref }) => refs.has(ref)).flatMap(authorOf);
  const categories = termsOf('category', blog.categories, report);
  const tags = termsOf('tag', blog.tags, report);
  const known = { authors: new Set(authors.map(({ ref }) => ref)), categories, tags };
  const slugs = slugsOf(blog.posts);
  const ids = new Set<string>();
  const articles = blog.posts.flatMap((post) => {
    const article = articleOf(post, slugs.get(post) ?? null, known, now);
    if (article === null) return [];
    if (ids.has(article.external_id)) {
      post.report.refuse(`another post has the same id, ${article.external_id}`);
      return [];
    }
    ids.add(article.external_id);
    return [article];
  });
  return {
    format: 'service-import',
    version: 1,
    source: definedOf({ name: blog.name ?? undefined, url: blog.url ?? undefined }),
    authors,
    categories: [...categories.values()],
    tags: [...tags.values()],
    articles,
  };
}

interface Known {
  readonly authors: ReadonlySet<string>;
  /** By their key in the export. */
  readonly categories: ReadonlyMap<string, ImportTerm>;
  readonly tags: ReadonlyMap<string, ImportTerm>;
}

function articleOf(post: BlogPost, slug: string | null, known: Known, now: Date): ImportArticle | null {
  const { report } = post;
  if (post.externalId === '' || lengthOf(post.externalId) > EXTERNAL_ID) {
    report.refuse(`its id must have 1 to ${EXTERNAL_ID} characters`);
    return null;
  }
  let content: string;
  try {
    content = cleanText(post.content());
  } catch (error) {
    report.refuse(`its content cannot be read: ${(error as Error).message}`);
    return null;
  }
  if (lengthOf(content) > LIMITS.content || Buffer.byteLength(JSON.stringify(content)) > CONTENT_BYTES) {
    report.refuse('its content is too long: an article has at most 900,000 characters, and 1 MB');
    return null;
  }
  const title = shortened(post.title, LIMITS.title, 'title', report);
  if (title === '' && content === '') {
    report.note('left out: it is empty');
    return null;
  }
  const dates = datesOf(post, now);
  const status = statusOf(post, { title, slug, content }, dates.published_at, now);
  const tags = [...new Set(post.tags.flatMap((key) => known.tags.get(key)?.slug ?? []))];
  if (tags.length > TAGS) report.note(`has ${tags.length} tags; only the first ${TAGS} are kept`);
  return {
    external_id: post.externalId,
    status,
    ...definedOf({
      title,
      slug: slug ?? undefined,
      content,
      excerpt: shortened(post.excerpt, LIMITS.excerpt, 'excerpt', report),
      seo_title: shortened(post.seoTitle, LIMITS.title, 'SEO title', report),
      seo_description: shortened(post.seoDescription, LIMITS.seoDescription, 'SEO description', report),
      featured_image: imageOf(post),
      author: post.author !== null && known.authors.has(post.author) ? post.author : undefined,
      category: post.category === null ? undefined : known.categories.get(post.category)?.slug,
      tags: tags.length > 0 ? tags.slice(0, TAGS) : undefined,
      ...(status === 'published' ? dates : {}),
    }),
  };
}

/** A published post that lacks something required becomes a draft, so that a person can complete it. */
function statusOf(
  { status, report, publishedAt }: BlogPost,
  needed: { readonly title: string; readonly slug: string | null; readonly content: string },
  published: string | undefined,
  now: Date,
): 'published' | 'draft' {
  if (status === 'draft') return 'draft';
  const missing = Object.entries(needed).flatMap(([name, value]) => (value ? [] : [name]));
  if (publishedAt !== null && publishedAt > now) {
    report.note(`its publication time, ${published}, is in the future; it becomes a draft`);
    return 'draft';
  }
  if (publishedAt === null) missing.push('publication time');
  if (missing.length === 0) return 'published';
  report.note(`has no ${missing.join(', no ')}; it becomes a draft`);
  return 'draft';
}

function datesOf({ publishedAt: first, updatedAt: updated }: BlogPost, now: Date) {
  const edited = first !== null && updated !== null && updated > first && updated <= now;
  return definedOf({
    published_at: first?.toISOString(),
    content_updated_at: edited ? updated.toISOString() : undefined,
  });
}

function slugsOf(posts: readonly BlogPost[]): Map<BlogPost, string | null> {
  // If two posts have the same slug, the published one keeps it.
  const order = posts.toSorted(
    (left, right) => Number(right.status === 'published') - Number(left.status === 'published'),
  );
  const slugs = assignSlugs(
    // The API derives the slug of a draft without one from its title.
    order.map(({ slug, title, status, fallbackSlug }) =>
      slug === '' && status === 'draft'
        ? { slug, text: '', last: null }
        : { slug, text: title, last: fallbackSlug },
    ),
  );
  order.forEach(({ slug, report }, index) => noteSlug(report, slug, slugs[index] ?? null, 'its URL'));
  return new Map(order.map((post, index) => [post, slugs[index] ?? null]));
}

function noteSlug(report: EntryReport, before: string, after: string | null, what: string): void {
  if (before === (after ?? '')) return;
  if (before === '') report.note(`had no slug; it gets "${after}"`);
  else if (after === null) report.note(`the slug "${before}" cannot be used, and is left out`);
  else report.note(`the slug "${before}" becomes "${after}": ${what} changes`);
}

function termsOf(
  kind: 'category' | 'tag',
  terms: readonly BlogTerm[],
  report: Report,
): Map<string, ImportTerm> {
  const unique = [...new Map(terms.map((term) => [term.key, term])).values()];
  const slugs = assignSlugs(
    unique.map(({ slug, name, fallbackSlug }) => ({ slug, text: name, last: fallbackSlug })),
  );
  return new Map(
    unique.flatMap(({ key, slug: before, name }, index): [string, ImportTerm][] => {
      const slug = slugs[index] ?? null;
      const about = report.entry(kind, name || before);
      noteSlug(about, before, slug, 'the URL of its page');
      if (slug === null) return [];
      return [[key, { slug, name: shortened(name, LIMITS.name, 'name', about) || slug }]];
    }),
  );
}

function authorOf({ ref, name, bio, avatarUrl }: BlogAuthor): ImportAuthor[] {
  const shown = cut(cleanText(name), LIMITS.name);
  if (shown === '') return [];
  const about = bio === null ? '' : cut(cleanText(bio), LIMITS.bio);
  const avatar = avatarUrl !== null && isWebUrl(avatarUrl) ? avatarUrl : undefined;
  return [{ ref, name: shown, ...definedOf({ bio: about, avatar_url: avatar }) }];
}

function imageOf({ image, report }: BlogPost): ImportArticle['featured_image'] {
  if (image === null) return undefined;
  if (!isWebUrl(image.url)) {
    report.note(`its featured image has no absolute URL (${image.url.slice(0, 200)}), and is left out`);
    return undefined;
  }
  return { url: image.url, ...definedOf({ alt: cut(cleanText(image.alt), LIMITS.alt) }) };
}

function shortened(text: string, limit: number, what: string, report: EntryReport): string {
  const clean = cleanText(text);
  if (lengthOf(clean) > limit) report.note(`its ${what} is truncated to ${limit} characters`);
  return cut(clean, limit);
}

/** A copy without the members that are undefined or empty. */
function definedOf<T extends object>(members: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined && value !== ''),
  ) as {
    [Name in keyof T]?: Exclude<T[Name], undefined>;
  };
}
