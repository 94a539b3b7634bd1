import type { ApiClient } from '../../command/api-client.ts';
import { itemsOf } from './create-once.ts';

export interface SiteArticle {
  readonly id: string;
  readonly status: string;
  readonly slug: string | null;
  readonly external_id: string | null;
  readonly published_at: string | null;
}

export interface SiteTerm {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
}

export interface SiteAsset {
  readonly id: string;
  readonly file_name: string | null;
  readonly url: string;
}

/** The objects that the file refers to; these parts of the Site have to be read. */
export interface Uses {
  readonly authors: boolean;
  readonly categories: boolean;
  readonly tags: boolean;
  readonly formats: boolean;
  readonly images: boolean;
}

/** The state of the Site before the import, as far as it is needed. */
export interface SiteState {
  /** By the API's clock; never earlier than its time, and at most `DATE_LAG_MS` later. */
  readonly now: Date;
  /** By external id; if several have the same, one that is or was published is preferred. */
  readonly articles: ReadonlyMap<string, SiteArticle>;
  readonly slugs: ReadonlyMap<string, SiteArticle>;
  readonly authors: readonly SiteTerm[];
  readonly categories: readonly SiteTerm[];
  readonly tags: readonly SiteTerm[];
  /** Ids by key. */
  readonly formats: ReadonlyMap<string, string>;
  readonly assets: readonly SiteAsset[];
}

/** `Date` tells whole seconds, and a server may keep its text for a second. */
const DATE_LAG_MS = 2_000;

const articleFields = ['id', 'status', 'slug', 'external_id', 'published_at'] as const;
const termFields = ['id', 'name', 'slug'] as const;

export async function readSite(client: ApiClient, uses: Uses): Promise<SiteState> {
  const terms = async (wanted: boolean, kind: TermKind): Promise<SiteTerm[]> =>
    wanted ? readTerms(client, kind) : [];
  const [, articles, authors, categories, tags, assets, formats] = await Promise.all([
    client.ping(),
    itemsOf(client.articles.list({ order: 'created_at.desc', fields: articleFields })),
    terms(uses.authors, 'authors'),
    terms(uses.categories, 'categories'),
    terms(uses.tags, 'tags'),
    uses.images ? readAssets(client) : [],
    uses.formats ? itemsOf(client.contentTypes.list()) : [],
  ]);
  return {
    now: new Date(client.answeredAt.getTime() + DATE_LAG_MS),
    articles: byExternalId(articles),
    slugs: firstBy(articles, ({ slug }) => slug),
    authors,
    categories,
    tags,
    formats: new Map(formats.map(({ key, id }) => [key, id])),
    assets,
  };
}

export type TermKind = 'authors' | 'categories' | 'tags';

const listOf: Readonly<Record<TermKind, (client: ApiClient) => AsyncIterable<SiteTerm>>> = {
  authors: ({ authors }) => authors.list({ fields: termFields }),
  categories: ({ categories }) => categories.list({ fields: termFields }),
  tags: ({ tags }) => tags.list({ fields: termFields }),
};

export const readTerms = (client: ApiClient, kind: TermKind): Promise<SiteTerm[]> =>
  itemsOf(listOf[kind](client));

/** The library, newest first, up to the first asset for which `last` is true. */
export const readAssets = (client: ApiClient, last?: (asset: SiteAsset) => boolean): Promise<SiteAsset[]> =>
  itemsOf<SiteAsset>(client.media.list({ fields: ['id', 'file_name', 'url'] }), last);

/** Whether an article is a never-published draft. The import leaves all others unchanged. */
export const isUnfinished = ({ status, published_at: publishedAt }: SiteArticle): boolean =>
  status === 'draft' && publishedAt === null;

export async function findArticle(client: ApiClient, externalId: string): Promise<SiteArticle | null> {
  const list = client.articles.list({ external_id: externalId, fields: articleFields });
  return byExternalId(await itemsOf(list)).get(externalId) ?? null;
}

function byExternalId(articles: readonly SiteArticle[]): Map<string, SiteArticle> {
  return firstBy(
    [...articles.filter((each) => !isUnfinished(each)), ...articles],
    (each) => each.external_id,
  );
}

/** Items by key; the first of several with the same key. */
export function firstBy<T>(items: readonly T[], keyOf: (item: T) => string | null): Map<string, T> {
  const map = new Map<string, T>();
  for (const item of items) {
    const key = keyOf(item);
    if (key !== null && !map.has(key)) map.set(key, item);
  }
  return map;
}
