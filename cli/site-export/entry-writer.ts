import { checkArticle } from '../../packages/importer/import/entry.ts';
import { imagesOf } from '../../packages/importer/import/entry-images.ts';
import { tooLarge } from '../../packages/importer/import/plan.ts';
import { entryOf } from './entry.ts';
import type { FileEntry } from './entry.ts';
import { compare, externalIdsOf } from './external-ids.ts';
import type { Library, LibraryAsset } from './library.ts';
import type { ProgressFile } from './progress-file.ts';
import type { Terms } from './terms.ts';

export interface EntryWriterOptions {
  readonly file: ProgressFile;
  readonly terms: Terms;
  readonly library: Library;
  readonly warn: (message: string) => void;
  /** Whether to look for the images of the library that are used. */
  readonly findImages: boolean;
}

/** Makes the entries of the file, one at a time, ordered by external id: the order is the same after an import. */
export class EntryWriter {
  readonly #options: EntryWriterOptions;
  readonly #images = new Map<string, LibraryAsset>();
  /** References to images that are not in the library. */
  otherImages = 0;
  refused = 0;

  constructor(options: EntryWriterOptions) {
    this.#options = options;
  }

  /** Images of the library that the entries use, and the pictures of their authors. */
  get images(): readonly LibraryAsset[] {
    return [...this.#images.values()];
  }

  async *entries(): AsyncGenerator<FileEntry> {
    const { file, terms, library, findImages } = this.#options;
    if (findImages) for (const { avatar_url: url } of terms.authors) if (url) this.#noteImage(url);
    const articles = [...file.articles];
    const externalIds = externalIdsOf(articles);
    const nameOf = ({ id }: { readonly id: string }): string => externalIds.get(id) ?? id;
    articles.sort((left, right) => compare(nameOf(left), nameOf(right)));
    for (const article of articles) {
      const entry = entryOf(await file.read(article), nameOf(article), terms, library);
      this.#check(entry);
      if (findImages) for (const { url } of imagesOf(entry).named) this.#noteImage(url);
      yield entry;
    }
  }

  /** By the import's own rules. Only an article larger than one request of the API is known to break them. */
  #check(entry: FileEntry): void {
    const reasons = [...(checkArticle(entry).reasons ?? []), ...tooLarge(entry)];
    if (reasons.length === 0) return;
    this.refused += 1;
    const why = reasons.map(({ field, message }) => `${field} ${message}`).join('; ');
    this.#options.warn(
      `presswork import will refuse the article ${JSON.stringify(entry.external_id)}: ${why}`,
    );
  }

  #noteImage(url: string): void {
    const asset = this.#options.library.find(url);
    if (asset === undefined) this.otherImages += 1;
    else this.#images.set(asset.id, asset);
  }
}
