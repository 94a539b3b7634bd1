/** Examples of the reference; tests hold them against the schemas. */
const times = { created_at: '2026-03-01T09:00:00.000Z', updated_at: '2026-03-01T09:00:00.000Z' };

export const termWriteExample = { name: 'Hot drinks', slug: 'hot-drinks' };
export const termUpdateExample = { name: 'Warm drinks' };
export const termExample = {
  id: '0197a0c4-1111-7d30-9b64-2f1f0d3c8a11',
  ...termWriteExample,
  article_count: 3,
  ...times,
};

export const authorWriteExample = {
  name: 'Ada Field',
  slug: 'ada-field',
  bio: 'Writes about tea.',
  avatar_url: 'https://media.example.com/ada.webp',
  is_ai_generated: false,
};
export const authorUpdateExample = { bio: 'Writes about tea and coffee.' };
export const authorExample = {
  id: '0197a0c4-2222-7d30-9b64-2f1f0d3c8a11',
  ...authorWriteExample,
  article_count: 12,
  ...times,
};
