import { getEvent, listEvents, presentEvent } from '../../domain/event-log.ts';
import { operation } from '../operation.ts';
import { ok, page } from '../reply.ts';
import { reading } from './endpoint-operations.ts';
import { EventPage, EventQuery, EventShape } from './schema.ts';

const group = 'Events';

const list = operation({
  method: 'GET',
  path: '/events',
  summary: 'List the events of the last 30 days',
  group,
  access: reading,
  query: EventQuery,
  answers: { 200: EventPage },
  errors: [],
  async handle({ db, site, query: { cursor, limit, ...filters }, now }) {
    return page(await listEvents(db, site, filters, { cursor, limit }, now), presentEvent);
  },
});

const read = operation({
  method: 'GET',
  path: '/events/:id',
  summary: 'Read an event, as it is delivered',
  group,
  access: reading,
  answers: { 200: EventShape },
  errors: [],
  async handle({ db, site, params, now }) {
    return ok(presentEvent(await getEvent(db, site.id, params['id'] as string, now)));
  },
});

export const eventOperations = [list, read];
