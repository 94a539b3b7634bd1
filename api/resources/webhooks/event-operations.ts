import { getEvent, listEvents } from '../../../domain/events/log.ts';
import { presentEvent } from '../../../domain/events/present.ts';
import { operation } from '../../framework/operation.ts';
import { ok } from '../../framework/reply.ts';
import { weighedPage } from '../../framework/weighed-reply.ts';
import { reading } from './endpoint-operations.ts';
import { EventPage, EventQuery, EventShape } from './schema.ts';

const list = operation({
  id: 'listEvents',
  method: 'GET',
  path: '/events',
  summary: 'List the events of the last 30 days',
  description: 'Newest first. Events are recorded also if the Site has no endpoint. `since` is inclusive.',
  access: reading,
  query: EventQuery,
  answers: { 200: EventPage },
  async handle({ db, site, query: { cursor, limit, ...filters }, now }) {
    return weighedPage(site, () => listEvents(db, site, filters, { cursor, limit }, now));
  },
});

const read = operation({
  id: 'getEvent',
  method: 'GET',
  path: '/events/:id',
  summary: 'Read an event in the form in which it is delivered',
  description: 'One event has one id for all endpoints, retries and redeliveries.',
  access: reading,
  answers: { 200: EventShape },
  async handle({ db, site, params, now }) {
    return ok(presentEvent(await getEvent(db, site.id, params.id, now)));
  },
});

export const eventOperations = [list, read];
