/** Examples of the reference; tests hold them against the schemas. */
export const articleId = '0197a0c4-5c1e-7d30-9b64-2f1f0d3c8a11';

export const articleWriteExample = {
  title: 'How to brew tea',
  slug: 'how-to-brew-tea',
  content: '## Water\n\nFresh water, just off the boil.',
  excerpt: 'Water, time and temperature.',
  featured_image_url: 'https://media.example.com/tea.webp',
  seo_title: 'How to brew tea',
  seo_description: 'Three minutes at 95 °C.',
  seo_keywords: ['tea'],
  faqs: [{ question: 'How long?', answer: 'Three minutes.' }],
  key_takeaways: ['Use fresh water.'],
  howto_steps: [{ name: 'Boil', text: 'Bring the water to the boil.', image_url: null }],
  comparison: {
    title: 'Teas',
    columns: ['Black', 'Green'],
    rows: [{ label: 'Temperature', values: ['95 °C', '80 °C'] }],
  },
  sources: [
    {
      url: 'https://tea.example.org/water',
      title: 'Water for tea',
      published_at: '2025-11-03T00:00:00.000Z',
      accessed_at: '2026-03-01T08:55:00.000Z',
    },
  ],
  category_id: '0197a0c4-1111-7d30-9b64-2f1f0d3c8a11',
  author_id: '0197a0c4-2222-7d30-9b64-2f1f0d3c8a11',
  format_id: null,
  tag_ids: ['0197a0c4-3333-7d30-9b64-2f1f0d3c8a11'],
  external_id: 'blog-17',
};

/** What is written, as it is read. */
const readExample = {
  ...articleWriteExample,
  sources: articleWriteExample.sources.map((source, index) => ({ n: index + 1, ...source })),
};

export const articleExample = {
  id: articleId,
  status: 'draft',
  ...readExample,
  origin: 'person',
  published_at: null,
  content_updated_at: null,
  scheduled_publish_at: null,
  created_at: '2026-03-01T09:00:00.000Z',
  updated_at: '2026-03-01T09:00:00.000Z',
};

export const listedArticleExample = {
  id: articleId,
  status: 'published',
  title: 'How to brew tea',
  slug: 'how-to-brew-tea',
  excerpt: 'Water, time and temperature.',
  featured_image_url: 'https://media.example.com/tea.webp',
  category_id: '0197a0c4-1111-7d30-9b64-2f1f0d3c8a11',
  author_id: '0197a0c4-2222-7d30-9b64-2f1f0d3c8a11',
  format_id: null,
  origin: 'person',
  published_at: '2026-03-01T09:30:00.000Z',
  scheduled_publish_at: null,
  created_at: '2026-03-01T09:00:00.000Z',
  updated_at: '2026-03-01T09:30:00.000Z',
};

export const publishedExample = {
  id: articleId,
  status: 'published',
  slug: 'how-to-brew-tea',
  published_at: '2026-03-01T09:30:00.000Z',
  content_updated_at: '2026-03-01T09:30:00.000Z',
  scheduled_publish_at: null,
  updated_at: '2026-03-01T09:30:00.000Z',
};

export const scheduledExample = {
  ...publishedExample,
  status: 'scheduled',
  published_at: null,
  content_updated_at: null,
  scheduled_publish_at: '2026-03-02T08:00:00.000Z',
};

export const draftExample = { ...scheduledExample, status: 'draft', scheduled_publish_at: null };

export const revisionExample = {
  number: 7,
  created_at: '2026-03-01T09:20:00.000Z',
  actor: { kind: 'key', id: '0197a0c4-8888-7d30-9b64-2f1f0d3c8a11', name: 'Website' },
  changed: ['title', 'content'],
  title: 'How to brew tea',
};

export const wholeRevisionExample = { ...revisionExample, article: readExample };
