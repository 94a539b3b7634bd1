const ada = { id: '0197a0c4-1111-7d30-9b64-2f1f0d3c8a11', name: 'ada' };
const grace = { id: '0197a0c4-2222-7d30-9b64-2f1f0d3c8a11', name: 'grace' };

export const reviewExample = {
  id: '0197a0c4-9999-7d30-9b64-2f1f0d3c8a11',
  article_id: '0197a0c4-5c1e-7d30-9b64-2f1f0d3c8a11',
  state: 'requested',
  subject: 'article',
  revision: 3,
  outdated: false,
  requested_by: ada,
  reviewers: [grace],
  note: 'Are the temperatures right?',
  due_date: '2026-03-12',
  approvals: [],
  decided_by: null,
  decided_at: null,
  decision_note: null,
  created_at: '2026-03-01T09:00:00.000Z',
};

const decision = {
  decided_by: grace,
  decided_at: '2026-03-02T09:00:00.000Z',
};

export const approvedReviewExample = {
  ...reviewExample,
  state: 'approved',
  approvals: [{ by: grace, at: decision.decided_at, note: 'They are.' }],
  ...decision,
  decision_note: 'They are.',
};

export const refusedReviewExample = {
  ...reviewExample,
  state: 'changes_requested',
  ...decision,
  decision_note: 'Green tea wants 80 °C.',
};

export const reviewRequestExample = {
  reviewer_ids: [grace.id],
  note: reviewExample.note,
  due_date: '2026-03-12',
};
