import type { ApiClient } from '../api-client.ts';
import { readAll } from './create-once.ts';

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

/** What the file refers to, and so what of the Site has to be known. */
export interface Uses {
  readonly authors: boolean;
  readonly categories: boolean;
  readonly tags: boolean;
  readonly formats: boolean;
  readonly images: boolean;
}

/** What the Site has before the import, as far as the import has to know it. */
export interface SiteState {
  /** By the API's clock. */
  readonly now: Date;
  /** By external id; of several the one that is furthest along. */
  readonly articles: ReadonlyMap<string, SiteArticle>;
  /** Whose each slug is. */
  readonly slugs: ReadonlyMap<string, SiteArticle>;
  readonly authors: readonly SiteTerm[];
  readonly categories: readonly SiteTerm[];
  readonly tags: readonly SiteTerm[];
  /** Ids by key. */
  readonly formats: ReadonlyMap<string, string>;
  readonly assets: readonly SiteAsset[];
}

const articleFields = 'id,status,slug,external_id,published_at';
const termFields = 'id,name,slug';

export async function readSite(client: ApiClient, uses: Uses): Promise<SiteState> {
  const articleQuery = { order: 'created_at.desc', fields: articleFields };
  const terms = async (wanted: boolean, path: TermPath): Promise<SiteTerm[]> =>
    wanted ? readTerms(client, path) : [];
  const [{ at }, articles, authors, categories, tags, assets, formats] = await Promise.all([
    client.get('/ping'),
    readAll<SiteArticle>(client, '/articles', articleQuery),
    terms(uses.authors, '/authors'),
    terms(uses.categories, '/categories'),
    terms(uses.tags, '/tags'),
    uses.images ? readAll<SiteAsset>(client, '/media', { fields: 'id,file_name,url' }) : [],
    uses.formats ? readFormats(client) : new Map<string, string>(),
  ]);
  return {
    now: at,
    articles: furthest(articles),
    slugs: firstBy(articles, ({ slug }) => slug),
    authors,
    categories,
    tags,
    formats,
    assets,
  };
}

export type TermPath = '/authors' | '/categories' | '/tags';

export const readTerms = (client: ApiClient, path: TermPath): Promise<SiteTerm[]> =>
  readAll<SiteTerm>(client, path, { fields: termFields });

/** An article is left as it is unless it is a draft that never was public. */
export const isUnfinished = ({ status, published_at: publishedAt }: SiteArticle): boolean =>
  status === 'draft' && publishedAt === null;

/** The article with an external id, as the Site has it now. */
export async function findArticle(client: ApiClient, externalId: string): Promise<SiteArticle | null> {
  const query = { external_id: externalId, fields: articleFields };
  return furthest(await readAll<SiteArticle>(client, '/articles', query)).get(externalId) ?? null;
}

function furthest(articles: readonly SiteArticle[]): Map<string, SiteArticle> {
  return firstBy(
    [...articles.filter((each) => !isUnfinished(each)), ...articles],
    (each) => each.external_id,
  );
}

/** By a key; of several with one key the first. */
export function firstBy<T>(items: readonly T[], keyOf: (item: T) => string | null): Map<string, T> {
  const map = new Map<string, T>();
  for (const item of items) {
    const key = keyOf(item);
    if (key !== null && !map.has(key)) map.set(key, item);
  }
  return map;
}

async function readFormats(client: ApiClient): Promise<ReadonlyMap<string, string>> {
  const { data } = await client.get<{ items: readonly { id: string; key: string }[] }>('/content-types');
  return new Map(data.items.map(({ key, id }) => [key, id]));
}
