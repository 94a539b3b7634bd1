import { z } from 'zod';
import { eventNames } from '../../domain/events.ts';
import { dateTime, id, isoTime, nullableTime, pageOf, text, uuid } from '../schema/fields.ts';
import { cursor, limit } from '../schema/query.ts';

const eventList = z.array(z.enum(eventNames)).min(1, { error: 'must name at least one event' }).max(100);

const writable = {
  url: z
    .string()
    .meta({ format: 'uri', maxLength: 2_000, description: 'An https address that is reachable in public.' }),
  events: eventList,
  description: text(500).nullable().optional(),
};

export const WebhookWrite = z.strictObject(writable).meta({ id: 'WebhookWrite' });
export const WebhookUpdate = z
  .strictObject({ ...writable, enabled: z.boolean() })
  .partial()
  .meta({ id: 'WebhookUpdate' });

const endpoint = {
  id,
  url: z.string(),
  events: z.array(z.string()),
  description: z.string().nullable(),
  enabled: z.boolean(),
  disabled_reason: z.string().nullable(),
  disabled_at: nullableTime,
  consecutive_failures: z.int(),
  created_at: isoTime,
  updated_at: isoTime,
};

export const WebhookShape = z.strictObject(endpoint).meta({ id: 'Webhook' });
export const WebhookPage = pageOf(WebhookShape).meta({ id: 'WebhookPage' });
export const WebhookWithSecret = z
  .strictObject({ ...endpoint, secret: z.string().nullable(), secret_replayable: z.boolean() })
  .meta({ id: 'WebhookWithSecret' });

export const DeliveryPage = pageOf(
  z
    .strictObject({
      id,
      event_id: id,
      event: z.string(),
      attempt: z.int(),
      status: z.enum(['succeeded', 'failed']),
      response_status: z.int().nullable(),
      error: z.string().nullable(),
      duration_ms: z.int(),
      attempted_at: isoTime,
      next_attempt_at: nullableTime,
      redelivery: z.boolean(),
    })
    .meta({ id: 'Delivery' }),
).meta({ id: 'DeliveryPage' });

export const DeliveryQuery = z.strictObject({
  cursor,
  limit: limit(),
  event_id: uuid.optional(),
  status: z.enum(['succeeded', 'failed']).optional(),
  event: z.enum([...eventNames, 'ping']).optional(),
});

export const PageQuery = z.strictObject({ cursor, limit: limit() });

export const Redelivered = z.strictObject({ event_id: id, endpoint_id: id }).meta({ id: 'Redelivered' });

export const ReplayBody = z
  .strictObject({ since: dateTime, until: dateTime.optional(), events: eventList.optional() })
  .meta({ id: 'Replay' });

export const Replayed = z.strictObject({ events: z.int() }).meta({ id: 'Replayed' });

export const Pinged = z.strictObject({ event_id: id }).meta({ id: 'Pinged' });

export const EventShape = z
  .strictObject({ id, event: z.string(), created_at: isoTime, data: z.record(z.string(), z.unknown()) })
  .meta({ id: 'Event' });
export const EventPage = pageOf(EventShape).meta({ id: 'EventPage' });

export const EventQuery = z.strictObject({
  cursor,
  limit: limit(),
  event: z.enum(eventNames).optional(),
  since: dateTime.optional(),
});
