import { delivery, endpoint, event, hook, name } from '../home.ts';
import type { Build } from './valid-request.ts';

export const webhookRequests: Readonly<Record<string, Build>> = {
  'GET /webhooks': async (home) => ({ path: '/webhooks', shows: (await endpoint(home)).id }),
  'POST /webhooks': () => ({ path: '/webhooks', body: hook, audit: 'webhook.create' }),
  'GET /webhooks/:id': async (home) => ({ path: `/webhooks/${(await endpoint(home)).id}` }),
  'PATCH /webhooks/:id': async (home) => ({
    path: `/webhooks/${(await endpoint(home)).id}`,
    body: { description: name() },
    audit: 'webhook.update',
  }),
  'DELETE /webhooks/:id': async (home) => ({
    path: `/webhooks/${(await endpoint(home)).id}`,
    audit: 'webhook.delete',
  }),
  'POST /webhooks/:id/rotate-secret': async (home) => ({
    path: `/webhooks/${(await endpoint(home)).id}/rotate-secret`,
    audit: 'webhook.rotate_secret',
  }),
  'GET /webhooks/:id/deliveries': async (home) => {
    const { endpointId, id } = await delivery(home);
    return { path: `/webhooks/${endpointId}/deliveries`, shows: id };
  },
  'POST /webhooks/:id/deliveries/:delivery_id/redeliver': async (home) => {
    const { endpointId, id, eventId } = await delivery(home);
    return {
      path: `/webhooks/${endpointId}/deliveries/${id}/redeliver`,
      shows: eventId,
      audit: 'webhook.redeliver',
    };
  },
  'POST /webhooks/:id/replay': async (home) => {
    await event(home);
    const body = { since: '2020-01-01T00:00:00Z' };
    return { path: `/webhooks/${(await endpoint(home)).id}/replay`, body, audit: 'webhook.replay' };
  },
  'POST /webhooks/:id/ping': async (home) => ({ path: `/webhooks/${(await endpoint(home)).id}/ping` }),
  'GET /events': async (home) => ({ path: '/events', shows: (await event(home)).id }),
  'GET /events/:id': async (home) => ({ path: `/events/${(await event(home)).id}` }),
};
