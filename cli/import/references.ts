import { deriveSlug, firstFreeSlug } from '../../domain/slugs.ts';
import type { ApiClient } from '../api-client.ts';
import { createOnce, digestOf } from './create-once.ts';
import type { ArticleEntry, AuthorEntry } from './entry.ts';
import type { ImportFile } from './file.ts';
import type { Images } from './images.ts';
import { Refused, refusedBy } from './refused.ts';
import { firstBy, readTerms } from './site.ts';
import type { SiteState, SiteTerm, TermPath } from './site.ts';

/** An author, category or tag of the Site. */
interface Found {
  readonly id: string;
  /** What this run has made for it. */
  readonly paths: readonly string[];
}

/** What an entry refers to, by the ids of the Site. */
export interface ReferenceIds {
  readonly author_id?: string | undefined;
  readonly category_id?: string | undefined;
  readonly tag_ids?: readonly string[] | undefined;
  readonly format_id?: string | undefined;
}

/** Finds authors by name, categories and tags by slug, and creates what is missing, each once (specification, Import file). */
export class References {
  readonly #client: ApiClient;
  readonly #file: ImportFile;
  readonly #images: Images;
  readonly #formats: ReadonlyMap<string, string>;
  readonly #found = new Map<string, Promise<Found>>();
  readonly #authorSlugs: Set<string>;

  constructor(client: ApiClient, file: ImportFile, site: SiteState, images: Images) {
    this.#client = client;
    this.#file = file;
    this.#images = images;
    this.#formats = site.formats;
    this.#authorSlugs = new Set(site.authors.map(({ slug }) => slug));
    const there = ({ id }: SiteTerm): Promise<Found> => Promise.resolve({ id, paths: [] });
    for (const [name, author] of firstBy(site.authors, (each) => each.name)) {
      this.#found.set(`/authors ${name}`, there(author));
    }
    for (const each of site.categories) this.#found.set(`/categories ${each.slug}`, there(each));
    for (const each of site.tags) this.#found.set(`/tags ${each.slug}`, there(each));
  }

  authorOf = ({ author }: ArticleEntry): AuthorEntry | undefined =>
    author === undefined ? undefined : this.#file.authors.get(author)?.value;

  missesAuthor(entry: ArticleEntry): boolean {
    const author = this.authorOf(entry);
    return author !== undefined && !this.#found.has(`/authors ${author.name}`);
  }

  missesCategory = ({ category }: ArticleEntry): boolean =>
    category !== undefined && !this.#found.has(`/categories ${category}`);

  missesTag = ({ tags = [] }: ArticleEntry): boolean => tags.some((tag) => !this.#found.has(`/tags ${tag}`));

  /**
   * @param onMade told what this run has made for the entry, and for others
   * @throws Refused where one is refused
   */
  async idsOf(entry: ArticleEntry, onMade: (path: string) => void): Promise<ReferenceIds> {
    const { category, tags, format } = entry;
    const author = this.authorOf(entry);
    const use = async (field: string, found: Promise<Found>): Promise<string> => {
      try {
        const { id, paths } = await found;
        paths.forEach(onMade);
        return id;
      } catch (error) {
        throw error instanceof Refused ? error.about(field) : error;
      }
    };
    return {
      author_id: author && (await use('author', this.#author(author, entry.author ?? ''))),
      category_id:
        category === undefined ? undefined : await use('category', this.#term('/categories', category)),
      tag_ids:
        tags && (await Promise.all(tags.map((tag, index) => use(`tags.${index}`, this.#term('/tags', tag))))),
      format_id: format === undefined ? undefined : this.#formats.get(format),
    };
  }

  #once(key: string, create: () => Promise<Found>): Promise<Found> {
    const found = this.#found.get(key) ?? create();
    this.#found.set(key, found);
    return found;
  }

  #term(path: '/categories' | '/tags', slug: string): Promise<Found> {
    return this.#once(`${path} ${slug}`, async () => {
      const listed = (path === '/tags' ? this.#file.tags : this.#file.categories).get(slug);
      if (listed?.value === undefined) throw new Refused([{ field: '', message: 'is not in the file' }]);
      const { name } = listed.value;
      const find = (): Promise<SiteTerm | null> => this.#look(path, (term) => term.slug === slug);
      const outcome = await createOnce<SiteTerm>(this.#client, {
        path,
        body: { name, slug },
        idempotencyKey: `import-term-${digestOf(slug)}`,
        find,
      });
      // Somebody else has made it meanwhile.
      const data = outcome.error?.code === 'SLUG_CONFLICT' ? await find() : outcome.data;
      if (!data) throw refusedBy(outcome.error);
      return { id: data.id, paths: outcome.made ? [`${path}/${data.id}`] : [] };
    });
  }

  #author(entry: AuthorEntry, ref: string): Promise<Found> {
    return this.#once(`/authors ${entry.name}`, async () => {
      const { name, bio, avatar_url: avatar, is_ai_generated: isAi } = entry;
      const copy = avatar ? await this.#images.copy({ url: avatar }) : null;
      const find = (): Promise<SiteTerm | null> => this.#look('/authors', (author) => author.name === name);
      // A name of another script yields no slug, and one that differs only in its accents that of another author.
      const base = deriveSlug(name) ?? deriveSlug(ref) ?? 'author';
      for (;;) {
        const slug = firstFreeSlug(base, this.#authorSlugs);
        this.#authorSlugs.add(slug);
        const outcome = await createOnce<SiteTerm>(this.#client, {
          path: '/authors',
          body: { name, slug, bio, avatar_url: copy?.url ?? avatar, is_ai_generated: isAi },
          idempotencyKey: `import-author-${digestOf(name)}`,
          find,
        });
        const taken = outcome.error?.code === 'SLUG_CONFLICT';
        const data = taken ? await find() : outcome.data;
        if (taken && !data) continue;
        if (!data) throw refusedBy(outcome.error);
        const made = outcome.made ? [`/authors/${data.id}`] : [];
        return { id: data.id, paths: copy?.path === undefined ? made : [...made, copy.path] };
      }
    });
  }

  async #look(path: TermPath, isIt: (term: SiteTerm) => boolean): Promise<SiteTerm | null> {
    const terms = await readTerms(this.#client, path);
    return terms.find(isIt) ?? null;
  }
}
