import type { Author, ContentType } from '../../sdk/src/index.ts';
import { isRejection } from '../../packages/command/api-client.ts';
import type { ApiClient } from '../../packages/command/api-client.ts';
import { compare } from './external-ids.ts';
import type { StoredArticle } from './progress-file.ts';

/** The objects that articles refer to, as the file names them. */
export interface Terms {
  /** Ordered by `ref`, which is the name. */
  readonly authors: readonly FileAuthor[];
  /** Ordered by slug. */
  readonly categories: readonly FileTerm[];
  readonly tags: readonly FileTerm[];
  /** Names in the file, by id. */
  readonly authorRefs: ReadonlyMap<string, string>;
  readonly categorySlugs: ReadonlyMap<string, string>;
  readonly tagSlugs: ReadonlyMap<string, string>;
  readonly formatKeys: ReadonlyMap<string, string>;
  /** The content that the file has no form for. */
  readonly warnings: readonly string[];
}

export interface FileAuthor {
  readonly ref: string;
  readonly name: string;
  readonly bio?: string | undefined;
  readonly avatar_url?: string | undefined;
  readonly is_ai_generated: boolean;
}

export interface FileTerm {
  readonly slug: string;
  readonly name: string;
}

interface Term extends FileTerm {
  readonly id: string;
}

/** Reads the terms that the articles use. One that was deleted since is in none of the lists. */
export async function readTerms(client: ApiClient, articles: readonly StoredArticle[]): Promise<Terms> {
  const used = { authors: new Set<string>(), categories: new Set<string>(), tags: new Set<string>() };
  for (const { author_id: author, category_id: category, tag_ids: tags } of articles) {
    if (author !== null) used.authors.add(author);
    if (category !== null) used.categories.add(category);
    for (const tag of tags) used.tags.add(tag);
  }
  const authors = await readAuthors(client, used.authors);
  const categories = await readUsed<Term>(
    client.categories.list({ fields: termFields }),
    used.categories,
    (id) => client.categories.get(id),
  );
  const tags = await readUsed<Term>(client.tags.list({ fields: termFields }), used.tags, (id) =>
    client.tags.get(id),
  );
  const formats = await readFormats(client, articles);
  return {
    authors: authors.authors,
    categories: inFile(categories),
    tags: inFile(tags),
    authorRefs: authors.refs,
    categorySlugs: slugsOf(categories),
    tagSlugs: slugsOf(tags),
    formatKeys: formats.keys,
    warnings: [...authors.warnings, ...formats.warnings],
  };
}

const termFields = ['id', 'name', 'slug'] as const;
const authorFields = ['id', 'name', 'bio', 'avatar_url', 'is_ai_generated', 'created_at'] as const;

type ReadAuthor = Pick<Author, (typeof authorFields)[number]>;

/** @param get reads one that the list lacked: a term that is renamed meanwhile may move to a page that was read */
async function readUsed<T extends { readonly id: string }>(
  list: AsyncIterable<T>,
  used: ReadonlySet<string>,
  get: (id: string) => Promise<T>,
): Promise<T[]> {
  const terms = new Map<string, T>();
  for await (const term of list) if (used.has(term.id)) terms.set(term.id, term);
  for (const id of used) {
    const term = terms.get(id) ?? (await unlessDeleted(get(id)));
    if (term !== null) terms.set(id, term);
  }
  return [...terms.values()];
}

const inFile = (terms: readonly Term[]): FileTerm[] =>
  terms.map(({ slug, name }) => ({ slug, name })).sort((left, right) => compare(left.slug, right.slug));

const slugsOf = (terms: readonly Term[]): Map<string, string> =>
  new Map(terms.map(({ id, slug }) => [id, slug]));

/** An import knows authors by their names, so those with the same name are one in the file: the oldest. */
async function readAuthors(client: ApiClient, used: ReadonlySet<string>) {
  const all = await readUsed<ReadAuthor>(client.authors.list({ fields: authorFields }), used, (id) =>
    client.authors.get(id),
  );
  all.sort((left, right) => compare(left.created_at, right.created_at) || compare(left.id, right.id));
  const authors = new Map<string, FileAuthor>();
  const warnings = new Set<string>();
  for (const { name, bio, avatar_url: avatar, is_ai_generated: isAi } of all) {
    if (authors.has(name)) {
      warnings.add(
        `authors with the name ${JSON.stringify(name)} are one author in the file, with the details of the oldest`,
      );
      continue;
    }
    authors.set(name, {
      ref: name,
      name,
      bio: bio ?? undefined,
      avatar_url: avatar ?? undefined,
      is_ai_generated: isAi,
    });
  }
  return {
    authors: [...authors.values()].sort((left, right) => compare(left.ref, right.ref)),
    refs: new Map(all.map(({ id, name }) => [id, name])),
    warnings: [...warnings],
  };
}

/** The keys of the platform's formats; another Site does not have those of this Site. */
async function readFormats(client: ApiClient, articles: readonly StoredArticle[]) {
  const uses = new Map<string, number>();
  for (const { format_id: id } of articles) if (id !== null) uses.set(id, (uses.get(id) ?? 0) + 1);
  const keys = new Map<string, string>();
  const warnings: string[] = [];
  if (uses.size === 0) return { keys, warnings };
  const listed = new Map<string, ContentType>();
  for await (const format of client.contentTypes.list()) listed.set(format.id, format);
  for (const [id, count] of uses) {
    // The Site may have replaced a format of the platform since; then the list has only its own.
    const format = listed.get(id) ?? (await unlessDeleted<ContentType>(client.contentTypes.get(id)));
    if (format?.source === 'platform') keys.set(id, format.key);
    else if (format) warnings.push(`the format ${format.key} of this Site is left out of ${count} articles`);
  }
  return { keys, warnings };
}

async function unlessDeleted<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (isRejection(error, 'NOT_FOUND')) return null;
    throw error;
  }
}
