/** Examples of the reference; tests hold them against the schemas. */
export const approvalExample = {
  id: '0197a0c4-9d2b-7c11-8f3e-6a5b4c3d2e1f',
  status: 'pending',
  action: 'article.delete',
  method: 'DELETE',
  path: '/articles/0197a0c4-5c1e-7d30-9b64-2f1f0d3c8a11',
  requested_by: { kind: 'key', id: '0197a0c4-8888-7d30-9b64-2f1f0d3c8a11', name: 'Writing agent' },
  created_at: '2026-03-01T09:00:00.000Z',
  expires_at: '2026-03-02T09:00:00.000Z',
  decided_at: null,
  decided_by: null,
  used_at: null,
};

export const approvalDetailExample = { ...approvalExample, body: null, target: null };

/** @param status the decision */
export const decidedExample = (status: 'approved' | 'denied') => ({
  approval: {
    ...approvalExample,
    status,
    decided_at: '2026-03-01T09:05:00.000Z',
    decided_by: { kind: 'key', id: '0197a0c4-8899-7d30-9b64-2f1f0d3c8a11', name: 'Ada' },
  },
});
