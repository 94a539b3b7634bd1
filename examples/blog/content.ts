import { PressworkError } from './sdk.ts';
import type { Author, Category, Presswork, PublicComment, ReadArticle, Site, Tag } from './sdk.ts';
import type { Article as AnyArticle, ArticleMeta } from './sdk.ts';

/** Of categories, tags and authors each; those beyond it have no page. */
const MOST_TERMS = 1_000;
const MOST_PAGES_OF_COMMENTS = 5;
const ARTICLES_A_PAGE = 9;
const FETCH_TIMEOUT_MS = 10_000;

/** The common data of pages: the Site, and its terms by id. */
export interface Frame {
  readonly site: Site;
  readonly category: ReadonlyMap<string, Category>;
  readonly tag: ReadonlyMap<string, Tag>;
  readonly author: ReadonlyMap<string, Author>;
}

export async function readFrame(api: Presswork): Promise<Frame> {
  const [site, category, tag, author] = await Promise.all([
    api.site.get(),
    byId(api.categories.list()),
    byId(api.tags.list()),
    byId(api.authors.list()),
  ]);
  return { site, category, tag, author };
}

async function byId<Term extends { id: string }>(list: AsyncIterable<Term>): Promise<Map<string, Term>> {
  const terms = new Map<string, Term>();
  for await (const term of list) {
    terms.set(term.id, term);
    if (terms.size === MOST_TERMS) break;
  }
  return terms;
}

const listed = ['title', 'slug', 'excerpt', 'featured_image_url', 'category_id', 'published_at'] as const;

export interface ArticleList {
  readonly items: readonly Pick<AnyArticle, (typeof listed)[number] | 'id'>[];
  readonly next_cursor: string | null;
}

/** Newest first; null for a cursor that the API did not give. */
export const readArticles = (
  api: Presswork,
  query: { category_id?: string; tag_id?: string; author_id?: string; q?: string; cursor?: string },
): Promise<ArticleList | null> =>
  nullIf('INVALID_REQUEST', () =>
    api.articles.list({ ...query, order: 'published_at.desc', limit: ARTICLES_A_PAGE, fields: listed }),
  );

const shown = [
  'title',
  'slug',
  'excerpt',
  'featured_image_url',
  'published_at',
  'content_updated_at',
  'category_id',
  'author_id',
  'tag_ids',
  'key_takeaways',
  'comparison',
  'howto_steps',
  'faqs',
  'content_html',
] as const;

export type Article = Pick<Required<ReadArticle>, (typeof shown)[number]>;

export interface Comments {
  readonly open: boolean;
  readonly require_email: boolean;
  readonly items: readonly PublicComment[];
}

export interface PublishedArticle {
  readonly article: Article;
  readonly meta: ArticleMeta;
  /** null if the Site has comments switched off. */
  readonly comments: Comments | null;
}

/** null if no published article has the slug. */
export function readArticle(api: Presswork, slug: string): Promise<PublishedArticle | null> {
  // It may also be unpublished between two of the calls.
  return nullIf('NOT_FOUND', async () => {
    const { items } = await api.articles.list({ slug, fields: ['id'] });
    const [found] = items;
    if (found === undefined) return null;
    const [article, meta, comments] = await Promise.all([
      api.articles.get(found.id, { fields: shown }),
      api.articles.getMeta(found.id),
      readComments(api, slug),
    ]);
    return { article, meta, comments };
  });
}

async function readComments(api: Presswork, slug: string): Promise<Comments | null> {
  const items: PublicComment[] = [];
  let settings = { enabled: false, open: false, require_email: false };
  let pages = 0;
  for await (const page of api.comments.listOfArticle(slug).pages()) {
    settings = page;
    items.push(...page.items);
    pages += 1;
    if (!page.enabled || pages === MOST_PAGES_OF_COMMENTS) break;
  }
  return settings.enabled ? { ...settings, items } : null;
}

/** The article of a preview link as it is now, which the token alone gives access to; null if the link has ended. */
export async function readPreview(origin: string, token: string): Promise<Article | null> {
  const answer = await fetchPublic(`${origin}/preview/${token}`, 'application/json');
  return answer && ((await answer.json()) as { data: Article }).data;
}

/**
 * Fetches public resources of the API. Asks twice: the API may close a connection that was kept open at the
 * moment when it is used again.
 *
 * @returns null if there is no such thing
 * @throws PressworkError if the API is away
 */
export async function fetchPublic(url: string, accept = '*/*'): Promise<Response | null> {
  const request = {
    headers: { accept },
    signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
    redirect: 'error',
  } as const;
  const ask = () => fetch(url, request);
  const answer = await ask()
    .catch(ask)
    .catch((cause: unknown) => {
      throw new PressworkError('CONNECTION_FAILED', 'There was no answer.', { cause });
    });
  if (answer.status === 404) return null;
  if (answer.ok) return answer;
  throw new PressworkError('UNEXPECTED_ANSWER', `The answer was ${answer.status}.`);
}

async function nullIf<T>(code: string, read: () => PromiseLike<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof PressworkError && error.code === code) return null;
    throw error;
  }
}
