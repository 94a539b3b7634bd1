import type { ArticleEntry, Checked, Reason } from './entry.ts';
import type { FileArticle, ImportFile } from './file.ts';
import { firstBy, isUnfinished } from './site.ts';
import type { SiteArticle, SiteState } from './site.ts';

/** The work for one entry. */
export interface Step {
  readonly article: FileArticle;
  readonly entry: ArticleEntry;
  /** The never-published draft to complete; null to create the article. */
  readonly existing: SiteArticle | null;
}

export interface RefusedEntry {
  readonly article: FileArticle;
  readonly reasons: readonly Reason[];
}

export interface Plan {
  readonly steps: readonly Step[];
  /** Entries whose articles are left as they are. */
  readonly unchanged: readonly ArticleEntry[];
  readonly refused: readonly RefusedEntry[];
}

/**
 * A request body of the API has at most 1 MiB (docs/spec/service-api.md, Limits); this leaves room for what surrounds
 * the entry.
 */
const BODY_LIMIT = 1_048_576 - 8_192;

/** Why an entry does not fit into a request. */
export const tooLarge = (entry: object): Reason[] =>
  Buffer.byteLength(JSON.stringify(entry)) > BODY_LIMIT
    ? [{ field: 'content', message: 'is too large: a request to the API must not exceed 1 MiB' }]
    : [];

/** Decides about every entry, before the first write. */
export function planImport(file: ImportFile, site: SiteState): Plan {
  const steps: Step[] = [];
  const unchanged: ArticleEntry[] = [];
  const refused: RefusedEntry[] = [];
  const ids = new Map<string, number>();
  const slugs = new Map<string, number>();
  const mistakesInSite = createSiteCheck(file, site);

  for (const article of file.articles) {
    const { externalId, index } = article;
    const reasons = [...(article.entry.reasons ?? [])];
    const earlier = externalId === null ? undefined : ids.get(externalId);
    if (earlier !== undefined) {
      reasons.push({ field: 'external_id', message: `is already used by articles[${earlier}]` });
    } else if (externalId) ids.set(externalId, index);

    const { value: entry, usable } = article.entry;
    const existing = site.articles.get(usable.external_id ?? '') ?? null;
    const settled = entry && existing && (entry.status === 'draft' || !isUnfinished(existing));
    if (!settled) {
      reasons.push(...mistakesInSite(usable, existing));
      const taker = usable.slug ? slugs.get(usable.slug) : undefined;
      if (taker !== undefined) {
        reasons.push({ field: 'slug', message: `is already used by articles[${taker}]` });
      }
    }
    if (entry === undefined || reasons.length > 0) refused.push({ article, reasons });
    else if (settled) unchanged.push(entry);
    else {
      steps.push({ article, entry, existing });
      if (entry.slug) slugs.set(entry.slug, index);
    }
  }
  return { steps, unchanged, refused };
}

/** Creates a check of an entry against the rest of the file and the Site. */
function createSiteCheck(
  file: ImportFile,
  site: SiteState,
): (entry: Partial<ArticleEntry>, existing: SiteArticle | null) => Reason[] {
  const categories = firstBy(site.categories, ({ slug }) => slug);
  const tags = firstBy(site.tags, ({ slug }) => slug);
  return (entry, existing) => {
    const reasons: Reason[] = [];
    const add = (field: string, message: string): void => void reasons.push({ field, message });
    const { author, category, format, slug, published_at: first, content_updated_at: updated } = entry;

    const needListed = (field: string, what: string, listed: Checked<unknown> | undefined): void => {
      if (listed === undefined) add(field, `must name ${what}`);
      for (const reason of listed?.reasons ?? []) {
        add(field, `cannot be created: ${reason.field}: ${reason.message}`);
      }
    };
    if (author !== undefined) needListed('author', 'an author in the file', file.authors.get(author));
    if (category !== undefined && !categories.has(category)) {
      needListed('category', 'a category in the file or the Site', file.categories.get(category));
    }
    (entry.tags ?? []).forEach((tag, index) => {
      if (!tags.has(tag)) needListed(`tags.${index}`, 'a tag in the file or the Site', file.tags.get(tag));
    });
    if (format !== undefined && !site.formats.has(format)) {
      add('format', 'must be the key of an article format of this Site');
    }
    const owner = slug ? site.slugs.get(slug) : undefined;
    if (owner && owner.id !== existing?.id) add('slug', 'is already used by another article of this Site');
    if (first && first > site.now) add('published_at', 'must not be in the future');
    if (updated && updated > site.now) add('content_updated_at', 'must not be in the future');
    reasons.push(...tooLarge(entry));
    return reasons;
  };
}
