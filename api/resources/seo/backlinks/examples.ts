export const importExample = {
  csv: 'source_url,target_url,anchor,rel\nhttps://news.example.org/gardens,https://example.com/watering,watering guide,\n',
  source: 'auto',
};

export const importedExample = {
  source: 'generic',
  added: 1,
  updated: 0,
  rejected: [],
  rejected_total: 0,
};

export const backlinkExample = {
  id: '0197a0c4-7777-7d30-9b64-2f1f0d3c8a11',
  source_url: 'https://news.example.org/gardens',
  target_url: 'https://example.com/watering',
  anchor: 'watering guide',
  rel: [],
  article_id: '0197a0c4-5c1e-7d30-9b64-2f1f0d3c8a11',
  status: 'unknown',
  first_seen_at: '2026-03-01T09:00:00.000Z',
  last_seen_at: '2026-03-01T09:00:00.000Z',
  checked_at: null,
};
