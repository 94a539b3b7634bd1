import { listDeliveries, presentDelivery } from '../../domain/webhooks/deliveries.ts';
import { getEndpoint, getEndpointForChange } from '../../domain/webhooks/endpoint.ts';
import {
  ping as sendPing,
  redeliver as sendAgain,
  replay as sendMissed,
} from '../../domain/webhooks/again.ts';
import { operation } from '../operation.ts';
import { accepted, page } from '../reply.ts';
import { group, reading, writing } from './endpoint-operations.ts';
import { DeliveryPage, DeliveryQuery, Pinged, Redelivered, ReplayBody, Replayed } from './schema.ts';

const list = operation({
  method: 'GET',
  path: '/webhooks/:id/deliveries',
  summary: 'List the attempts to deliver to an endpoint',
  group,
  access: reading,
  query: DeliveryQuery,
  answers: { 200: DeliveryPage },
  errors: [],
  async handle({ db, site, params, query: { cursor, limit, ...filters } }) {
    const endpoint = await getEndpoint(db, site.id, params['id'] as string);
    return page(await listDeliveries(db, site, endpoint.id, filters, { cursor, limit }), presentDelivery);
  },
});

const redeliver = operation({
  method: 'POST',
  path: '/webhooks/:id/deliveries/:delivery_id/redeliver',
  summary: 'Send the event of a delivery again, from attempt 1',
  group,
  access: writing,
  answers: { 202: Redelivered },
  errors: ['CONFLICT'],
  async handle({ tx, site, params, now }) {
    const endpoint = await getEndpointForChange(tx, site.id, params['id'] as string);
    const eventId = await sendAgain(tx, endpoint, params['delivery_id'] as string, now);
    return accepted({ event_id: eventId, endpoint_id: endpoint.id });
  },
});

const replay = operation({
  method: 'POST',
  path: '/webhooks/:id/replay',
  summary: 'Send missed events again',
  group,
  access: writing,
  body: ReplayBody,
  answers: { 202: Replayed },
  errors: ['CONFLICT'],
  async handle({ tx, site, params, body, now }) {
    const endpoint = await getEndpointForChange(tx, site.id, params['id'] as string);
    return accepted({ events: await sendMissed(tx, endpoint, body, now) });
  },
});

const ping = operation({
  method: 'POST',
  path: '/webhooks/:id/ping',
  summary: 'Send a ping event to one endpoint',
  group,
  access: writing,
  answers: { 202: Pinged },
  errors: ['CONFLICT'],
  async handle({ tx, site, params, now }) {
    const endpoint = await getEndpointForChange(tx, site.id, params['id'] as string);
    return accepted({ event_id: await sendPing(tx, endpoint, now) });
  },
});

export const deliveryOperations = [list, redeliver, replay, ping];
