export const planItemWriteExample = {
  title: 'How to keep a sourdough starter alive',
  notes: 'Readers ask what to do before a holiday.',
  keywords: ['sourdough', 'starter'],
  target_date: '2026-03-12',
};

export const planItemExample = {
  id: '0197a0e1-2b3c-7a10-8f00-3c5d7e9f1a2b',
  title: 'How to keep a sourdough starter alive',
  notes: 'Readers ask what to do before a holiday.',
  keywords: ['sourdough', 'starter'],
  source_url: null,
  source_urls: [],
  format_id: null,
  category_id: '0197a0c4-7a10-7b21-9c3d-1e2f3a4b5c6d',
  author_id: null,
  target_date: '2026-03-12',
  status: 'idea',
  rank: 'V00004',
  article_id: null,
  run_id: null,
  created_at: '2026-03-01T09:00:00.000Z',
  updated_at: '2026-03-01T09:00:00.000Z',
};

export const planItemUpdateExample = { status: 'approved', after: null };

export const approvedItemExample = { ...planItemExample, status: 'approved', rank: 'Uzzzzz' };
