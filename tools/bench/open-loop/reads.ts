import type { Blog } from './blogs.ts';
import { SKEW } from './comments.ts';
import { anyOf } from './random.ts';
import type { Mix, Operation } from './mix.ts';

/** How far back the list of updated articles goes: not far, so that it is short. */
const NEW_MS = 5 * 60_000;

/** The reads: 900 of 1,000 requests. */
export function createReads({ deep, blogs, blog, random, send }: Mix): readonly Operation[] {
  const great = blogs[0] as Blog;
  const read = (
    name: string,
    share: number,
    path: (from: Blog) => string,
    options: { readonly publishable?: boolean; readonly from?: Blog } = {},
  ): Operation => ({
    name,
    share,
    kind: 'read',
    next() {
      const from = options.from ?? blog();
      return { request: send(from, 'GET', path(from), options), status: 200 };
    },
  });
  const publishable = true;
  // Most readers request the same pages.
  const commented = (from: Blog): string =>
    from.slugs[Math.floor(from.slugs.length * random() ** SKEW)] as string;
  const isoAgo = (milliseconds: number): string => new Date(Date.now() - milliseconds).toISOString();
  const any = (paths: readonly string[]) => () => anyOf(paths, random);
  return [
    read(
      'read an article',
      150,
      (from) =>
        `/articles/${anyOf([from.drafts, from.published][random() < 0.5 ? 0 : 1] as string[], random)}`,
    ),
    read('read an article, public', 150, (from) => `/articles/${anyOf(from.published, random)}`, {
      publishable,
    }),
    read('list', 100, () => '/articles'),
    read('list, public, by published_at', 120, () => '/articles?order=published_at.desc', { publishable }),
    read('list by slug, public', 80, (from) => `/articles?slug=${commented(from)}&fields=content`, {
      publishable,
    }),
    read('list by status', 40, () => '/articles?status=draft&order=updated_at.asc'),
    read('list by category', 40, (from) => `/articles?category_id=${anyOf(from.categories, random)}`),
    read(
      'list by author',
      20,
      (from) => `/articles?author_id=${anyOf(from.authors, random)}&order=created_at.desc`,
    ),
    read('list by tag', 30, (from) => `/articles?tag_id=${anyOf(from.tags, random)}`),
    read(
      'list by category, public',
      20,
      (from) => `/articles?category_id=${anyOf(from.categories, random)}&order=published_at.desc`,
      { publishable },
    ),
    read('list of what is new', 20, () => `/articles?updated_since=${isoAgo(NEW_MS)}&order=updated_at.asc`),
    read('list, deep page of 100', 10, any(deep.articles), { from: great }),
    read('list, public, deep page of 100', 10, any(deep.published), { publishable, from: great }),
    read('public comments', 60, (from) => `/comments/posts/${commented(from)}`, { publishable }),
    read('public comments, deep page', 10, any(deep.postComments), { publishable, from: great }),
    read('comments to moderate', 8, () => '/comments'),
    read('comments that wait', 4, () => '/comments?status=pending'),
    read('comments to moderate, deep page', 4, any(deep.moderation), { from: great }),
    read('categories', 12, () => '/categories', { publishable }),
    read('tags', 4, () => '/tags?limit=100'),
    read('authors', 4, () => '/authors'),
    read('usage', 4, () => '/usage'),
  ];
}
