/** Examples of the reference; tests hold them against the schemas. */
export const keyWriteExample = {
  name: 'Website',
  kind: 'secret',
  scopes: ['articles:read', 'articles:write'],
  expires_at: '2027-03-01T00:00:00Z',
  held_by_agent: false,
  drafts_only: false,
};

export const keyExample = {
  id: '0197a0c4-8888-7d30-9b64-2f1f0d3c8a11',
  name: 'Website',
  kind: 'secret',
  key_prefix: 'svc_sk_4f9A',
  scopes: ['articles:read', 'articles:write'],
  held_by_agent: false,
  drafts_only: false,
  last_used_at: null,
  expires_at: '2027-03-01T00:00:00.000Z',
  revoked_at: null,
  created_at: '2026-03-01T09:00:00.000Z',
};

export const keyWithSecretExample = { ...keyExample, secret: 'svc_sk_4f9A…', secret_replayable: true };
