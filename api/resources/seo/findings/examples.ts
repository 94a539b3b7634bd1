import { articleId } from '../../articles/examples.ts';

/** Examples of the reference; tests hold them against the schemas. */
export const findingExample = {
  id: '0197a0c4-bbbb-7d30-9b64-2f1f0d3c8a11',
  kind: 'on-page',
  rule: 'thin-content',
  severity: 'warning',
  status: 'open',
  url: 'https://blog.example.com/green-tea',
  article_id: articleId,
  evidence: { words: 212, least: 300 },
  first_seen_at: '2026-03-01T09:00:02.000Z',
  last_seen_at: '2026-03-08T09:00:02.000Z',
  fixed_at: null,
};

export const findingWriteExample = { status: 'dismissed' };
