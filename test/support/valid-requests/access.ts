import { startDeviceSignIn } from '../device.ts';
import { approval, channel, channelWrite, endpoint, keyOf, member, name, newKey } from '../home.ts';
import type { Build } from './valid-request.ts';

export const accessRequests: Readonly<Record<string, Build>> = {
  'GET /keys': async (home) => ({ path: '/keys', shows: (await keyOf(home)).id }),
  'POST /keys': () => ({ path: '/keys', body: { name: name(), ...newKey }, audit: 'key.create' }),
  'POST /keys/:id/rotate': async (home) => ({
    // A key that agents may rotate, too.
    path: `/keys/${(await keyOf(home, true)).id}/rotate`,
    audit: 'key.rotate',
  }),
  'DELETE /keys/:id': async (home) => ({ path: `/keys/${(await keyOf(home)).id}`, audit: 'key.revoke' }),
  // A code belongs to no Site until it is decided.
  'POST /auth/device/approve': async ({ api }) => ({
    path: '/auth/device/approve',
    body: { user_code: (await startDeviceSignIn(api)).user_code },
    agents: '403 FORBIDDEN',
    audit: 'device_sign_in.approve',
  }),
  'POST /auth/device/deny': async ({ api }) => ({
    path: '/auth/device/deny',
    body: { user_code: (await startDeviceSignIn(api)).user_code },
    agents: '403 FORBIDDEN',
    audit: 'device_sign_in.deny',
  }),
  'GET /organisation': ({ tenant }) => ({
    path: '/organisation',
    shows: tenant.organisationId,
    ofOrganisation: true,
  }),
  'PATCH /organisation': () => ({
    path: '/organisation',
    body: { approval_operations: null, name: name(), agent_access: true },
    ofOrganisation: true,
    agents: '403 FORBIDDEN',
    audit: 'organisation.update',
  }),
  'GET /team': async (home) => ({ path: '/team', shows: await member(home), ofOrganisation: true }),
  'POST /team/invitations': () => ({
    path: '/team/invitations',
    body: { email: `${name().replace(' ', '')}@example.com`, role: 'viewer' },
    ofOrganisation: true,
    audit: 'member.add',
  }),
  'GET /team/:id': async (home) => ({ path: `/team/${await member(home)}`, ofOrganisation: true }),
  'PATCH /team/:id': async (home) => ({
    path: `/team/${await member(home)}`,
    body: { role: 'viewer' },
    ofOrganisation: true,
    audit: 'member.role',
  }),
  'DELETE /team/:id': async (home) => ({
    path: `/team/${await member(home)}`,
    ofOrganisation: true,
    audit: 'member.remove',
  }),
  'GET /notifications': async (home) => {
    const { id } = await home.send('POST', '/keys', { name: name(), ...newKey });
    const { items } = await home.send('GET', '/notifications?limit=100');
    const told = items.find(({ target }: any) => target?.id === id);
    return { path: '/notifications', shows: told.id, ofOrganisation: true, agents: '403 FORBIDDEN' };
  },
  'POST /notifications/read': async (home) => {
    await home.send('POST', '/keys', { name: name(), ...newKey });
    return {
      path: '/notifications/read',
      body: { before: '2999-01-01T00:00:00Z' },
      ofOrganisation: true,
      agents: '403 FORBIDDEN',
      audit: 'notifications.read',
    };
  },
  'GET /notifications/settings': () => ({
    path: '/notifications/settings',
    ofOrganisation: true,
    agents: '403 FORBIDDEN',
  }),
  'PATCH /notifications/settings': () => ({
    path: '/notifications/settings',
    body: { muted: ['comment.held'] },
    ofOrganisation: true,
    agents: '403 FORBIDDEN',
    audit: 'notifications.settings',
  }),
  'GET /notifications/channels': async (home) => ({
    path: '/notifications/channels',
    shows: (await channel(home)).id,
  }),
  'POST /notifications/channels': () => ({
    path: '/notifications/channels',
    body: channelWrite,
    agents: '403 FORBIDDEN',
    audit: 'channel.create',
  }),
  'GET /notifications/channels/:id': async (home) => ({
    path: `/notifications/channels/${(await channel(home)).id}`,
  }),
  'PATCH /notifications/channels/:id': async (home) => ({
    path: `/notifications/channels/${(await channel(home)).id}`,
    body: { name: name() },
    agents: '403 FORBIDDEN',
    audit: 'channel.update',
  }),
  'DELETE /notifications/channels/:id': async (home) => ({
    path: `/notifications/channels/${(await channel(home)).id}`,
    agents: '403 FORBIDDEN',
    audit: 'channel.delete',
  }),
  'POST /notifications/channels/:id/test': async (home) => ({
    path: `/notifications/channels/${(await channel(home)).id}/test`,
    agents: '403 FORBIDDEN',
    audit: 'channel.test',
  }),
  'GET /audit-log': async (home) => ({ path: '/audit-log', shows: (await endpoint(home)).id }),
  'GET /approvals': async (home) => ({ path: '/approvals', shows: await approval(home) }),
  'GET /approvals/:id': async (home) => ({ path: `/approvals/${await approval(home)}` }),
  'POST /approvals/:id/approve': async (home) => ({
    path: `/approvals/${await approval(home)}/approve`,
    agents: '403 FORBIDDEN',
    audit: 'approval.approve',
  }),
  'POST /approvals/:id/deny': async (home) => ({
    path: `/approvals/${await approval(home)}/deny`,
    agents: '403 FORBIDDEN',
    audit: 'approval.deny',
  }),
};
