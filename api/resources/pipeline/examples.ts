import { articleId } from '../articles/examples.ts';

/** Examples of the reference; tests hold them against the schemas. */
export const runWriteExample = {
  topics: [
    {
      title: 'How to brew green tea',
      keywords: ['green tea'],
      notes: 'For people who only know tea bags.',
      source_url: 'https://example.com/tea',
      source_urls: ['https://example.com/kettles'],
      format_id: null,
    },
  ],
};

export const runExample = {
  id: '0197a0c4-cccc-7d30-9b64-2f1f0d3c8a11',
  status: 'queued',
  reason: null,
  writer: 'llm',
  articles: [
    {
      article_id: articleId,
      status: 'discovered',
      stage: null,
      error: null,
      duplicate_of: null,
      score: null,
    },
  ],
  totals: { articles: 1, stages_done: 0, stages_total: 5 },
  credits_spent: 0,
  tokens: null,
  created_at: '2026-03-01T09:00:00.000Z',
  started_at: null,
  finished_at: null,
};

export const finishedRunExample = {
  ...runExample,
  status: 'completed',
  articles: [
    {
      article_id: articleId,
      status: 'queued',
      stage: 'improve',
      error: null,
      duplicate_of: null,
      score: 85,
    },
  ],
  totals: { articles: 1, stages_done: 5, stages_total: 5 },
  credits_spent: 19,
  tokens: { input: 12_400, output: 6_100 },
  started_at: '2026-03-01T09:00:01.000Z',
  finished_at: '2026-03-01T09:04:00.000Z',
};

export const cancelledRunExample = {
  ...runExample,
  status: 'cancelled',
  reason: 'cancelled',
  finished_at: '2026-03-01T09:01:00.000Z',
};

export const stepExample = {
  id: '0197a0c4-dddd-5d30-9b64-2f1f0d3c8a11',
  article_id: articleId,
  stage: 'classify',
  attempt: 1,
  status: 'succeeded',
  model: 'a-model',
  started_at: '2026-03-01T09:00:01.000Z',
  finished_at: '2026-03-01T09:00:04.000Z',
  tokens: { input: 420, output: 60 },
  credits: 1,
  error: null,
  prompt: 'Does the topic “How to brew green tea” fit the blog?',
  answer: '{"score": 82, "reason": "A question that readers have."}',
};

export const articleStateExample = {
  article_id: articleId,
  status: 'rejected',
  score: 82,
  duplicate_of: null,
  outline: {
    sections: [{ heading: 'The water', points: ['How hot it should be.'], min_words: 120 }],
  },
  suggestions: {
    titles: ['Green tea, brewed well'],
    tag_ids: [],
    category_id: null,
    excerpt: 'Cooler water, and two minutes.',
    seo_title: null,
    seo_description: null,
  },
  sources: null,
  stages: [
    {
      stage: 'classify',
      status: 'succeeded',
      run_id: runExample.id,
      finished_at: '2026-03-01T09:00:04.000Z',
    },
  ],
  rejected: {
    at: '2026-03-01T10:00:00.000Z',
    by: { id: '0197a0c4-aaaa-7d30-9b64-2f1f0d3c8a11', name: 'ada' },
    reason: 'We have written about this before.',
  },
};
