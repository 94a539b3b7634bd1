const ids = ['0197a0c4-5c1e-7d30-9b64-2f1f0d3c8a11', '0197a0c4-6f02-7c55-8d0e-5b1d6f6f7a22'] as const;

export const bulkExample = { action: 'publish', article_ids: ids };

export const queuedJobExample = {
  id: '0197a0d0-11aa-7f00-a1b2-6d1c2e3f4a5b',
  status: 'queued',
  action: 'publish',
  items: ids.map((id) => ({ article_id: id, status: 'waiting', error: null })),
  totals: { waiting: 2, done: 0, failed: 0 },
  created_at: '2026-03-01T09:00:00.000Z',
  finished_at: null,
};

export const completedJobExample = {
  ...queuedJobExample,
  status: 'completed',
  items: [
    { article_id: ids[0], status: 'done', error: null },
    {
      article_id: ids[1],
      status: 'failed',
      error: {
        code: 'NOT_FOUND',
        message: 'There is no such article. Check the id; it may have been deleted.',
      },
    },
  ],
  totals: { waiting: 0, done: 1, failed: 1 },
  finished_at: '2026-03-01T09:00:01.250Z',
};

export const cancelledJobExample = {
  ...queuedJobExample,
  status: 'cancelled',
  finished_at: '2026-03-01T09:00:01.250Z',
};
