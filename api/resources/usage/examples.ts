/** Examples of the reference; tests hold them against the schemas. */
export const usageExample = {
  plan: {
    key: 'pro',
    name: 'Pro',
    entitlements: ['content', 'media', 'taxonomy', 'webhooks', 'comments', 'pipeline'],
  },
  period: { start: '2026-03-01T00:00:00.000Z', end: '2026-04-01T00:00:00.000Z' },
  usage: { documents: 214, media_bytes: 812_004_113, pipeline_runs: 3, credits_spent: 57 },
  limits: { documents: 10_000, media_bytes: 25_000_000_000, webhook_endpoints: 10 },
  credits: { balance: 943 },
  spend_cap: { limit: 500, spent: 57, remaining: 443 },
};

export const entryExample = {
  id: '0197a0c4-dddd-7d30-9b64-2f1f0d3c8a11',
  kind: 'charge',
  amount: -10,
  balance: 943,
  run_id: '0197a0c4-cccc-7d30-9b64-2f1f0d3c8a11',
  article_id: '0197a0c4-5c1e-7d30-9b64-2f1f0d3c8a11',
  stage: 'generate',
  scan_id: null,
  payment_id: null,
  created_at: '2026-03-01T09:02:00.000Z',
};
