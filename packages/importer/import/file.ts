import { z } from 'zod';
import { fieldMessages } from '../../base/field-messages.ts';
import { whereJsonFails } from '../../base/json-failure.ts';
import { readTextFile } from '../../command/text-file.ts';
import { UsageError } from '../../command/usage.ts';
import { checkArticle, checkAuthor, checkTerm } from './entry.ts';
import type { AuthorEntry, Checked, CheckedArticle, TermEntry } from './entry.ts';

/** An import file (docs/spec/service-api.md, Import file), with each part checked. */
export interface ImportFile {
  /** The URL of the blog: the base of relative image URLs. */
  readonly sourceUrl: string | null;
  /** By `ref`; the first of several with the same ref. */
  readonly authors: ReadonlyMap<string, Checked<AuthorEntry>>;
  /** By slug. */
  readonly categories: ReadonlyMap<string, Checked<TermEntry>>;
  readonly tags: ReadonlyMap<string, Checked<TermEntry>>;
  readonly articles: readonly FileArticle[];
}

export interface FileArticle {
  readonly index: number;
  /** For messages; null if absent. */
  readonly externalId: string | null;
  readonly title: string | null;
  readonly entry: CheckedArticle;
}

const list = z.array(z.unknown()).nullish();
const document = z.object({
  format: z.literal('service-import'),
  version: z.literal(1),
  source: z.object({ url: z.string().nullish() }).nullish(),
  authors: list,
  categories: list,
  tags: list,
  articles: list,
});

/** @throws UsageError if it cannot be read, or is not an import file of version 1 */
export function readImportFile(path: string): ImportFile {
  const parsed = document.safeParse(parse(path, readTextFile(path)), { reportInput: true });
  if (!parsed.success) {
    const messages = Object.entries(fieldMessages(parsed.error.issues));
    throw new UsageError(messages.map(([field, message]) => problem(path, field, message)).join('\n'));
  }
  const { source, authors, categories, tags, articles } = parsed.data;
  return {
    sourceUrl: source?.url ?? null,
    authors: keyed('authors', 'ref', authors ?? [], checkAuthor),
    categories: keyed('categories', 'slug', categories ?? [], checkTerm),
    tags: keyed('tags', 'slug', tags ?? [], checkTerm),
    articles: (articles ?? []).map((value, index) => ({
      index,
      externalId: textOf(value, 'external_id'),
      title: textOf(value, 'title'),
      entry: checkArticle(value),
    })),
  };
}

/** Parses JSON. The error does not quote the file. */
function parse(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const where = whereJsonFails(error);
    throw new UsageError(`${path}: is not JSON: ${where}.`);
  }
}

function problem(path: string, field: string, message: string): string {
  if (field === 'format' || field === 'version') {
    return `${path}: ${field}: ${message}; an import file has "format": "service-import" and "version": 1.`;
  }
  return field === '' ? `${path}: ${message}.` : `${path}: ${field}: ${message}`;
}

/** A list by one of its members; the first wins. Items without the member are skipped: they cannot be referenced. */
function keyed<T>(
  part: string,
  key: string,
  values: readonly unknown[],
  check: (value: unknown) => Checked<T>,
): Map<string, Checked<T>> {
  const result = new Map<string, Checked<T>>();
  values.forEach((value, index) => {
    const name = textOf(value, key);
    if (name === null || result.has(name)) return;
    const checked = check(value);
    const place = (field: string): string => `${part}[${index}]${field === '' ? '' : `.${field}`}`;
    result.set(
      name,
      checked.reasons === undefined
        ? checked
        : { reasons: checked.reasons.map((reason) => ({ ...reason, field: place(reason.field) })) },
    );
  });
  return result;
}

function textOf(value: unknown, member: string): string | null {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, member)) return null;
  const found = (value as Record<string, unknown>)[member];
  return typeof found === 'string' ? found : null;
}
