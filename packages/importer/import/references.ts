import { deriveSlug, firstFreeSlug } from '../../base/slugs.ts';
import type { ApiClient } from '../../command/api-client.ts';
import { isRejection } from '../../command/api-client.ts';
import { createOnce, digestOf } from './create-once.ts';
import type { Created } from './create-once.ts';
import type { ObjectName } from './created-objects.ts';
import type { ArticleEntry, AuthorEntry } from './entry.ts';
import type { ImportFile } from './file.ts';
import type { Images } from './images.ts';
import { asEntry, EntryError, entryErrorOf } from './entry-error.ts';
import { firstBy, readTerms } from './site.ts';
import type { SiteState, SiteTerm, TermKind } from './site.ts';

/** An author, category or tag of the Site. */
interface Found {
  readonly id: string;
  /** Objects that this run created for it. */
  readonly made: readonly ObjectName[];
}

/** An author of the file who has to be created. */
interface NewAuthor {
  readonly entry: AuthorEntry;
  readonly slug: string;
}

/** The same name may be written with composed letters or not. */
const keyOf = (name: string): string => name.normalize('NFC');

/** The references of an entry, as ids of the Site. */
export interface ReferenceIds {
  readonly author_id?: string | undefined;
  readonly category_id?: string | undefined;
  readonly tag_ids?: readonly string[] | undefined;
  readonly format_id?: string | undefined;
}

/**
 * Finds authors by name, categories and tags by slug, and creates missing ones, each once
 * (docs/spec/service-api.md, Import file).
 */
export class References {
  readonly #client: ApiClient;
  readonly #file: ImportFile;
  readonly #images: Images;
  readonly #formats: ReadonlyMap<string, string>;
  readonly #found = new Map<string, Promise<Found>>();
  readonly #authorSlugs: Set<string>;
  /** By names. */
  readonly #newAuthors = new Map<string, NewAuthor>();

  constructor(client: ApiClient, file: ImportFile, site: SiteState, images: Images) {
    this.#client = client;
    this.#file = file;
    this.#images = images;
    this.#formats = site.formats;
    this.#authorSlugs = new Set(site.authors.map(({ slug }) => slug));
    const there = ({ id }: SiteTerm): Promise<Found> => Promise.resolve({ id, made: [] });
    for (const [name, author] of firstBy(site.authors, (each) => keyOf(each.name))) {
      this.#found.set(`authors ${name}`, there(author));
    }
    for (const { entry } of file.articles) this.#planAuthor(entry.value?.author);
    for (const each of site.categories) this.#found.set(`categories ${each.slug}`, there(each));
    for (const each of site.tags) this.#found.set(`tags ${each.slug}`, there(each));
  }

  authorOf = ({ author }: ArticleEntry): AuthorEntry | undefined =>
    author === undefined ? undefined : this.#file.authors.get(author)?.value;

  missesAuthor(entry: ArticleEntry): boolean {
    const author = this.authorOf(entry);
    return author !== undefined && !this.#found.has(`authors ${keyOf(author.name)}`);
  }

  missesCategory = ({ category }: ArticleEntry): boolean =>
    category !== undefined && !this.#found.has(`categories ${category}`);

  missesTag = ({ tags = [] }: ArticleEntry): boolean => tags.some((tag) => !this.#found.has(`tags ${tag}`));

  /**
   * @param onMade called with the objects that this run created for the entry, possibly shared with others
   * @throws EntryError if the API rejects one of them
   */
  async idsOf(entry: ArticleEntry, onMade: (name: ObjectName) => void): Promise<ReferenceIds> {
    const { category, tags, format } = entry;
    const author = this.authorOf(entry);
    const use = async (field: string, found: Promise<Found>): Promise<string> => {
      try {
        const { id, made } = await found;
        made.forEach(onMade);
        return id;
      } catch (error) {
        throw error instanceof EntryError ? error.about(field) : error;
      }
    };
    return {
      author_id: author && (await use('author', this.#author(author.name))),
      category_id:
        category === undefined ? undefined : await use('category', this.#term('categories', category)),
      tag_ids:
        tags && (await Promise.all(tags.map((tag, index) => use(`tags.${index}`, this.#term('tags', tag))))),
      format_id: format === undefined ? undefined : this.#formats.get(format),
    };
  }

  #once(key: string, create: () => Promise<Found>): Promise<Found> {
    const found = this.#found.get(key) ?? create();
    this.#found.set(key, found);
    return found;
  }

  #term(kind: 'categories' | 'tags', slug: string): Promise<Found> {
    return this.#once(`${kind} ${slug}`, async () => {
      const listed = this.#file[kind].get(slug);
      if (listed?.value === undefined) throw new EntryError([{ field: '', message: 'must be in the file' }]);
      const { name } = listed.value;
      const find = (): Promise<SiteTerm | null> => this.#look(kind, (term) => term.slug === slug);
      const resource = this.#client[kind];
      const { data, made } = await asEntry(
        createOnce<SiteTerm>({
          create: (options) => resource.create({ name, slug }, options),
          read: (id) => resource.get(id),
          idempotencyKey: `import-term-${digestOf(slug)}`,
          find,
        }).catch((error: unknown) => foundInstead(error, find)),
      );
      return { id: data.id, made: made ? [`${kind}/${data.id}`] : [] };
    });
  }

  /** Gives a new author a slug, in the order of the file: what is created first depends on time. */
  #planAuthor(ref: string | undefined): void {
    const entry = ref === undefined ? undefined : this.#file.authors.get(ref)?.value;
    if (ref === undefined || entry === undefined) return;
    const key = keyOf(entry.name);
    if (this.#found.has(`authors ${key}`) || this.#newAuthors.has(key)) return;
    // A non-Latin name may yield no slug, and a name that differs only in accents yields that of another author.
    const slug = this.#freeSlug(deriveSlug(entry.name) ?? deriveSlug(ref) ?? 'author');
    this.#newAuthors.set(key, { entry, slug });
  }

  #freeSlug(base: string): string {
    const slug = firstFreeSlug(base, this.#authorSlugs);
    this.#authorSlugs.add(slug);
    return slug;
  }

  #author(named: string): Promise<Found> {
    const key = keyOf(named);
    return this.#once(`authors ${key}`, async () => {
      const planned = this.#newAuthors.get(key);
      if (planned === undefined) throw new Error('An author was not planned');
      const { name, bio, avatar_url: avatar, is_ai_generated: isAi } = planned.entry;
      const copy = avatar ? await this.#images.copy({ url: avatar }) : null;
      const find = (): Promise<SiteTerm | null> =>
        this.#look('authors', (author) => keyOf(author.name) === key);
      for (let { slug } = planned; ; slug = this.#freeSlug(planned.slug)) {
        try {
          const { data, made } = await createOnce<SiteTerm>({
            create: (options) =>
              this.#client.authors.create(
                { name, slug, bio, avatar_url: copy?.url ?? avatar, is_ai_generated: isAi },
                options,
              ),
            read: (id) => this.#client.authors.get(id),
            idempotencyKey: `import-author-${digestOf(name)}`,
            find,
          }).catch((error: unknown) => foundInstead(error, find));
          const own: ObjectName[] = made ? [`authors/${data.id}`] : [];
          return { id: data.id, made: copy?.made === undefined ? own : [...own, copy.made] };
        } catch (error) {
          // By an author of another name: try the next one.
          if (!isRejection(error, 'SLUG_CONFLICT')) throw entryErrorOf(error);
        }
      }
    });
  }

  async #look(kind: TermKind, isIt: (term: SiteTerm) => boolean): Promise<SiteTerm | null> {
    const terms = await readTerms(this.#client, kind);
    return terms.find(isIt) ?? null;
  }
}

/**
 * The object that has taken the slug: it may have been created concurrently.
 *
 * @throws the error if there is none
 */
async function foundInstead<T>(error: unknown, find: () => Promise<T | null>): Promise<Created<T>> {
  const data = isRejection(error, 'SLUG_CONFLICT') ? await find() : null;
  if (data === null) throw error;
  return { data, made: false };
}
