import { texts } from '../../text/texts.ts';
import type { FieldName } from './saving/fields.ts';

/** The names of the fields of an article for people. */
export const fieldTexts = texts(
  {
    title: 'Title',
    slug: 'Address',
    content: 'Text',
    excerpt: 'Excerpt',
    featured_image_url: 'Featured image',
    seo_title: 'Title for search engines',
    seo_description: 'Description for search engines',
    seo_keywords: 'Keywords',
    faqs: 'Questions and answers',
    key_takeaways: 'Key takeaways',
    howto_steps: 'Steps',
    comparison: 'Comparison',
    category_id: 'Category',
    author_id: 'Author',
    format_id: 'Format',
    tag_ids: 'Tags',
    external_id: 'External id',
  } satisfies Record<FieldName, string>,
  {
    title: 'Titel',
    slug: 'Adresse',
    content: 'Text',
    excerpt: 'Kurzfassung',
    featured_image_url: 'Titelbild',
    seo_title: 'Titel für Suchmaschinen',
    seo_description: 'Beschreibung für Suchmaschinen',
    seo_keywords: 'Suchbegriffe',
    faqs: 'Fragen und Antworten',
    key_takeaways: 'Das Wichtigste',
    howto_steps: 'Schritte',
    comparison: 'Vergleich',
    category_id: 'Kategorie',
    author_id: 'Autor',
    format_id: 'Format',
    tag_ids: 'Schlagwörter',
    external_id: 'Externe ID',
  },
);
