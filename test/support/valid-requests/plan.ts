import { name, planItem } from '../home.ts';
import type { Build } from './valid-request.ts';

export const planRequests: Readonly<Record<string, Build>> = {
  'GET /content-plan': async (home) => ({ path: '/content-plan', shows: (await planItem(home)).id }),
  'POST /content-plan': () => ({
    path: '/content-plan',
    body: { title: name() },
    audit: 'plan_item.create',
  }),
  'GET /content-plan/autopilot': async ({ send }) => {
    await send('PATCH', '/content-plan/autopilot', { time: '23:59' });
    return { path: '/content-plan/autopilot', shows: '23:59' };
  },
  'PATCH /content-plan/autopilot': () => ({
    path: '/content-plan/autopilot',
    body: { enabled: true },
    elsewhere: 'OK',
    audit: 'autopilot.update',
  }),
  'GET /content-plan/:id': async (home) => ({ path: `/content-plan/${(await planItem(home)).id}` }),
  'PATCH /content-plan/:id': async (home) => ({
    path: `/content-plan/${(await planItem(home)).id}`,
    body: { title: name() },
    audit: 'plan_item.update',
  }),
  'DELETE /content-plan/:id': async (home) => ({
    path: `/content-plan/${(await planItem(home)).id}`,
    audit: 'plan_item.delete',
  }),
};
