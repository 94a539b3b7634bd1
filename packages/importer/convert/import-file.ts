/** The interchange format (docs/spec/service-api.md, Import file). Members that an entry lacks are absent. */
export interface ImportFile {
  readonly format: 'service-import';
  readonly version: 1;
  readonly source: { readonly name?: string; readonly url?: string };
  readonly authors: readonly ImportAuthor[];
  readonly categories: readonly ImportTerm[];
  readonly tags: readonly ImportTerm[];
  readonly articles: readonly ImportArticle[];
}

export interface ImportAuthor {
  readonly ref: string;
  readonly name: string;
  readonly bio?: string;
  readonly avatar_url?: string;
}

export interface ImportTerm {
  readonly slug: string;
  readonly name: string;
}

export interface ImportArticle {
  readonly external_id: string;
  readonly status: 'published' | 'draft';
  readonly title?: string;
  readonly slug?: string;
  readonly content?: string;
  readonly excerpt?: string;
  readonly seo_title?: string;
  readonly seo_description?: string;
  readonly featured_image?: { readonly url: string; readonly alt?: string };
  readonly author?: string;
  readonly category?: string;
  readonly tags?: readonly string[];
  readonly published_at?: string;
  readonly content_updated_at?: string;
}

/** Serializes the file in pieces, because the whole may exceed the maximum length of a string. */
export function* writeImportFile(file: ImportFile): Generator<string> {
  yield '{\n';
  const members = Object.entries(file);
  for (const [index, [name, value]] of members.entries()) {
    const end = index === members.length - 1 ? '\n' : ',\n';
    if (!Array.isArray(value)) {
      yield `  ${JSON.stringify(name)}: ${JSON.stringify(value)}${end}`;
      continue;
    }
    yield `  ${JSON.stringify(name)}: [`;
    for (const [at, item] of value.entries()) yield `${at === 0 ? '' : ','}\n    ${JSON.stringify(item)}`;
    yield `${value.length > 0 ? '\n  ' : ''}]${end}`;
  }
  yield '}\n';
}
