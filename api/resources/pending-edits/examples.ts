import { articleExample, publishedExample } from '../articles/examples.ts';

/** Examples of the reference; tests hold them against the schemas. */
export const editExample = { title: 'How to brew green tea', content: '## Water\n\nAt 80 °C.' };

const live = { ...articleExample, ...publishedExample };

export const pendingEditExample = {
  base_version: 4,
  article: { ...live, ...editExample },
  updated_at: '2026-03-02T10:00:00.000Z',
  scheduled_at: null,
};

export const scheduledEditExample = {
  ...pendingEditExample,
  updated_at: '2026-03-02T10:05:00.000Z',
  scheduled_at: '2026-03-03T08:00:00.000Z',
};

export const publishedEditExample = {
  ...live,
  ...editExample,
  content_updated_at: '2026-03-02T11:00:00.000Z',
  updated_at: '2026-03-02T11:00:00.000Z',
};
