export const articleStatuses = [
  'draft',
  'scheduled',
  'published',
  'discovered',
  'scored',
  'skipped',
  'scraped',
  'generated',
  'needs_improvement',
  'needs_images',
  'queued',
  'rejected',
  'failed',
] as const;

export type ArticleStatus = (typeof articleStatuses)[number];
