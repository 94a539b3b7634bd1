import { listDeliveries } from '../../../domain/webhooks/deliveries.ts';
import { presentDelivery } from '../../../domain/webhooks/present.ts';
import { getEndpoint, getEndpointForUpdate } from '../../../domain/webhooks/endpoint.ts';
import * as redelivery from '../../../domain/webhooks/redelivery.ts';
import { listOperation } from '../../framework/list-operation.ts';
import { operation } from '../../framework/operation.ts';
import { accepted } from '../../framework/reply.ts';
import { reading, writing } from './endpoint-operations.ts';
import { DeliveryPage, DeliveryQuery, Pinged, Redelivered, ReplayBody, Replayed } from './schema.ts';

const list = listOperation({
  id: 'listWebhookDeliveries',
  path: '/webhooks/:id/deliveries',
  summary: 'List the delivery attempts of an endpoint',
  description:
    'One row for each attempt, newest first; rows of one event have the same `event_id`. `next_attempt_at` is as it was when the attempt ended.',
  access: reading,
  query: DeliveryQuery,
  answer: DeliveryPage,
  async read({ db, site, params, query: { cursor, limit, ...filters } }) {
    const endpoint = await getEndpoint(db, site.id, params.id);
    return listDeliveries(db, site, endpoint.id, filters, { cursor, limit });
  },
  present: presentDelivery,
});

const redeliver = operation({
  id: 'redeliverWebhook',
  method: 'POST',
  path: '/webhooks/:id/deliveries/:delivery_id/redeliver',
  summary: 'Redeliver the event of a delivery, starting at attempt 1',
  description:
    'Works on succeeded and failed deliveries, any number of times, for 30 days after the event. The body and the event id are the same. A disabled endpoint is 409.',
  access: writing,
  answers: { 202: Redelivered },
  errors: ['CONFLICT'],
  async handle({ tx, site, actor, params, now }) {
    const endpoint = await getEndpointForUpdate(tx, site.id, params.id);
    const change = { tx, site, actor, now };
    const eventId = await redelivery.redeliver(change, endpoint, params.delivery_id);
    return accepted({ event_id: eventId, endpoint_id: endpoint.id });
  },
});

const replay = operation({
  id: 'replayWebhook',
  method: 'POST',
  path: '/webhooks/:id/replay',
  summary: 'Replay missed events',
  description:
    'Sends the events of a period that the endpoint subscribes to and has never received, oldest first. `since` is inclusive, `until` exclusive. A disabled endpoint is 409.',
  access: writing,
  body: ReplayBody,
  answers: { 202: Replayed },
  errors: ['CONFLICT'],
  async handle({ tx, site, actor, params, body, now }) {
    const endpoint = await getEndpointForUpdate(tx, site.id, params.id);
    return accepted({ events: await redelivery.replay({ tx, site, actor, now }, endpoint, body) });
  },
});

const ping = operation({
  id: 'pingWebhook',
  method: 'POST',
  path: '/webhooks/:id/ping',
  summary: 'Send a ping event to one endpoint',
  description: 'The ping is signed, retried and counted like any event. A disabled endpoint is 409.',
  access: writing,
  answers: { 202: Pinged },
  errors: ['CONFLICT'],
  async handle({ tx, site, params, now }) {
    const endpoint = await getEndpointForUpdate(tx, site.id, params.id);
    return accepted({ event_id: await redelivery.ping(tx, endpoint, now) });
  },
});

export const deliveryOperations = [list, redeliver, replay, ping];
