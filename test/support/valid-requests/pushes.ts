import { connectionWrite } from '../connection-write.ts';
import { article, connection, name, push } from '../home.ts';
import type { Build } from './valid-request.ts';

export const pushRequests: Readonly<Record<string, Build>> = {
  'GET /delivery/connections': async (home) => ({
    path: '/delivery/connections',
    shows: (await connection(home)).id,
  }),
  'POST /delivery/connections': () => ({
    path: '/delivery/connections',
    body: connectionWrite,
    audit: 'connection.create',
  }),
  'GET /delivery/connections/:id': async (home) => ({
    path: `/delivery/connections/${(await connection(home)).id}`,
  }),
  'PATCH /delivery/connections/:id': async (home) => ({
    path: `/delivery/connections/${(await connection(home)).id}`,
    body: { name: name() },
    audit: 'connection.update',
  }),
  'DELETE /delivery/connections/:id': async (home) => ({
    path: `/delivery/connections/${(await connection(home)).id}`,
    audit: 'connection.delete',
  }),
  'POST /delivery/connections/:id/test': async (home) => ({
    path: `/delivery/connections/${(await connection(home)).id}/test`,
    audit: 'connection.test',
  }),
  'POST /delivery/cms/push': async (home) => ({
    path: '/delivery/cms/push',
    body: { connection_id: (await connection(home)).id, article_ids: [(await article(home)).id] },
    elsewhere: '404 NOT_FOUND',
    audit: 'cms.push',
  }),
  'GET /delivery/pushes': async (home) => ({ path: '/delivery/pushes', shows: (await push(home)).id }),
  'GET /delivery/pushes/:id': async (home) => ({ path: `/delivery/pushes/${(await push(home)).id}` }),
};
