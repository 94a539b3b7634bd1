import type { ReadArticle } from './article.ts';
import { compare } from './external-ids.ts';
import type { Library } from './library.ts';
import type { Terms } from './terms.ts';

/** An article in the file. Members are in the order in which they are written; those without a value are absent. */
export type FileEntry = ReturnType<typeof entryOf>;

/** The article as the import file has it (docs/spec/service-api.md, Import file). */
export function entryOf(article: ReadArticle, externalId: string, terms: Terms, library: Library) {
  const { featured_image_url: featured, author_id, category_id, format_id } = article;
  const isPublished = article.status === 'published';
  const tags = article.tag_ids.flatMap((id) => terms.tagSlugs.get(id) ?? []).sort(compare);
  return {
    external_id: externalId,
    status: isPublished ? 'published' : 'draft',
    title: article.title ?? undefined,
    slug: article.slug ?? undefined,
    content: article.content ?? undefined,
    excerpt: article.excerpt ?? undefined,
    seo_title: article.seo_title ?? undefined,
    seo_description: article.seo_description ?? undefined,
    // An empty alternative text is not imported.
    featured_image: featured
      ? { url: featured, alt: library.find(featured)?.alt_text || undefined }
      : undefined,
    author: author_id ? terms.authorRefs.get(author_id) : undefined,
    category: category_id ? terms.categorySlugs.get(category_id) : undefined,
    tags: tags.length > 0 ? tags : undefined,
    format: format_id ? terms.formatKeys.get(format_id) : undefined,
    // A draft that was published before keeps its times in the Site, but an import ignores them.
    published_at: isPublished ? (article.published_at ?? undefined) : undefined,
    content_updated_at: isPublished ? (article.content_updated_at ?? undefined) : undefined,
    ...blocksOf(article),
    sources: article.sources?.map(({ url, title, published_at, accessed_at }) => ({
      url,
      title,
      published_at,
      accessed_at,
    })),
    // A person's text is the default, which an import cannot be told.
    origin: article.origin === 'person' ? undefined : article.origin,
  } as const;
}

/** The structured blocks, whose members have no order of their own. */
const blocksOf = ({ faqs, key_takeaways, howto_steps, comparison }: ReadArticle) => ({
  faqs: faqs?.map(({ question, answer }) => ({ question, answer })),
  key_takeaways: key_takeaways ?? undefined,
  howto_steps: howto_steps?.map(({ name, text, image_url }) => ({ name, text, image_url })),
  comparison: comparison
    ? {
        title: comparison.title,
        columns: comparison.columns,
        rows: comparison.rows.map(({ label, values }) => ({ label, values })),
      }
    : undefined,
});
