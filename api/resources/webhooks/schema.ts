import { z } from 'zod';
import { eventNames, eventPatterns } from '../../../domain/events/catalogue.ts';
import { dateTime, id, isoTime, nullableTime, pageOf, text, uuid } from '../../../packages/base/fields.ts';
import { cursor, limit } from '../../framework/schema/query.ts';
import {
  deliveryExample,
  eventId,
  eventExample,
  redeliveredExample,
  replayExample,
  webhookExample,
  webhookUpdateExample,
  webhookWithSecretExample,
  webhookWriteExample,
} from './examples.ts';

const listOf = <const Name extends string>(names: readonly Name[]) =>
  z.array(z.enum(names)).min(1, { error: 'must name at least one event' }).max(100);

const writable = {
  url: z.string().meta({ format: 'uri', maxLength: 2_000, description: 'A publicly reachable https URL.' }),
  events: listOf([...eventNames, ...eventPatterns]).describe(
    '`*` stands for every event, and `article.*` for every event of articles, those of later versions too.',
  ),
  description: text(500).nullable().optional(),
};

export const WebhookWrite = z
  .strictObject(writable)
  .meta({ id: 'WebhookWrite', examples: [webhookWriteExample] });
export const WebhookUpdate = z
  .strictObject({ ...writable, enabled: z.boolean() })
  .partial()
  .meta({ id: 'WebhookUpdate', examples: [webhookUpdateExample] });

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

export const WebhookShape = z.strictObject(endpoint).meta({ id: 'Webhook', examples: [webhookExample] });
export const WebhookPage = pageOf(WebhookShape).meta({ id: 'WebhookPage' });
export const WebhookWithSecret = z
  .strictObject({ ...endpoint, secret: z.string().nullable(), secret_replayable: z.boolean() })
  .meta({ id: 'WebhookWithSecret', examples: [webhookWithSecretExample] });

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
    .meta({ id: 'Delivery', examples: [deliveryExample] }),
).meta({ id: 'DeliveryPage' });

export const DeliveryQuery = z.strictObject({
  cursor,
  limit: limit(),
  event_id: uuid.optional().describe('Attempts to deliver this event.'),
  status: z.enum(['succeeded', 'failed']).optional().describe('Attempts with this result.'),
  event: z
    .enum([...eventNames, 'ping'])
    .optional()
    .describe('Attempts to deliver events of this type.'),
});

export const Redelivered = z
  .strictObject({ event_id: id, endpoint_id: id })
  .meta({ id: 'Redelivered', examples: [redeliveredExample] });

export const ReplayBody = z
  .strictObject({ since: dateTime, until: dateTime.optional(), events: listOf(eventNames).optional() })
  .meta({ id: 'Replay', examples: [replayExample] });

export const Replayed = z
  .strictObject({ events: z.int() })
  .meta({ id: 'Replayed', examples: [{ events: 4 }] });

export const Pinged = z
  .strictObject({ event_id: id })
  .meta({ id: 'Pinged', examples: [{ event_id: eventId }] });

export const EventShape = z
  .strictObject({ id, event: z.string(), created_at: isoTime, data: z.record(z.string(), z.unknown()) })
  .meta({ id: 'Event', examples: [eventExample] });
export const EventPage = pageOf(EventShape).meta({ id: 'EventPage' });

export const EventQuery = z.strictObject({
  cursor,
  limit: limit(),
  event: z.enum(eventNames).optional().describe('Events of this type.'),
  since: dateTime.optional().describe('Inclusive.'),
});
