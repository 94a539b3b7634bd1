export const noteExample = {
  id: '0197a0c4-8888-7d30-9b64-2f1f0d3c8a11',
  article_id: '0197a0c4-5c1e-7d30-9b64-2f1f0d3c8a11',
  parent_id: null,
  body: 'Is it not 80 °C for green tea?',
  quote: 'boiling water',
  position: { start: 120, end: 133 },
  author: { id: '0197a0c4-1111-7d30-9b64-2f1f0d3c8a11', name: 'ada' },
  mentions: [],
  resolved: false,
  resolved_by: null,
  created_at: '2026-03-01T09:00:00.000Z',
  updated_at: '2026-03-01T09:00:00.000Z',
};

export const resolvedNoteExample = { ...noteExample, resolved: true, resolved_by: noteExample.author };

export const noteWriteExample = { body: noteExample.body, quote: noteExample.quote };
