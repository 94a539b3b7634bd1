import { articleId } from '../../articles/examples.ts';

/** Examples of the reference; tests hold them against the schemas. */
export const scanWriteExample = { article_ids: [articleId] };

export const crawlWriteExample = { start_url: 'https://blog.example.com/', max_pages: 500 };

export const scanExample = {
  id: '0197a0c4-aaaa-7d30-9b64-2f1f0d3c8a11',
  kind: 'on-page',
  status: 'queued',
  reason: null,
  units: { done: 0, total: 3 },
  found: { error: 0, warning: 0, notice: 0 },
  credits_spent: 0,
  created_at: '2026-03-01T09:00:00.000Z',
  started_at: null,
  finished_at: null,
};

export const finishedScanExample = {
  ...scanExample,
  status: 'partial',
  reason: 'insufficient_credits',
  units: { done: 2, total: 3 },
  found: { error: 0, warning: 4, notice: 11 },
  credits_spent: 2,
  started_at: '2026-03-01T09:00:01.000Z',
  finished_at: '2026-03-01T09:00:04.000Z',
};

export const cancelledScanExample = {
  ...scanExample,
  status: 'cancelled',
  reason: 'cancelled',
  finished_at: '2026-03-01T09:00:02.000Z',
};
