import { keyWithSecretExample } from '../keys/examples.ts';

/** Examples of the reference; tests hold them against the schemas. */
export const signInWriteExample = {
  client_name: 'Presswork CLI',
  scopes: ['articles:read', 'articles:write'],
  held_by_agent: false,
};

export const signInExample = {
  device_code: 'Zk3vQ0pVxX1n2yT8uJr5wA',
  user_code: 'BCDF-GHJK',
  verification_uri: 'https://cms.example.com/device',
  verification_uri_complete: 'https://cms.example.com/device?user_code=BCDF-GHJK',
  expires_in: 900,
  interval: 5,
};

export const tokenRequestExample = { device_code: signInExample.device_code };
export const tokenExample = { status: 'approved', interval: 5, key: keyWithSecretExample };

export const decisionWriteExample = { user_code: signInExample.user_code };
export const decisionExample = { status: 'approved', ...signInWriteExample };
