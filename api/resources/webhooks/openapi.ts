import { delivered } from '../../../domain/events/catalogue.ts';
import { exampleIn } from '../../framework/openapi/examples.ts';
import type { Components, Json } from '../../framework/openapi/schemas.ts';
import { capitalised, eventBodies } from './event-bodies.ts';

/** The requests to endpoints, one for each event (docs/spec/service-api.md, Events). */
export const webhooksOf = (components: Components): Json =>
  Object.fromEntries(
    Object.entries(eventBodies).map(([event, body]) => [
      event,
      {
        post: {
          operationId: `on${capitalised(event)}`,
          summary: delivered[event as keyof typeof delivered].summary,
          description: deliveryText,
          tags: ['Webhooks'],
          security: [],
          parameters: deliveryHeaders,
          requestBody: {
            required: true,
            content: {
              'application/json': { schema: components.of(body, 'output'), example: exampleIn(body) },
            },
          },
          responses: {
            '2XX': { description: 'Received. Answer within 10 seconds, and do slow work afterwards.' },
            default: {
              description:
                'Failed. There are up to six attempts; after 12 failed ones in a row the endpoint is disabled.',
            },
          },
        },
      },
    ]),
  );

const deliveryText =
  'Check the signature over the raw body before you parse it, and refuse a timestamp that is more than 300 seconds away. Delivery is at least once, in no fixed order: an event that comes again has the same `id`. Ignore events that you do not know.';

const header = (name: string, description: string, schema: Json = { type: 'string' }): Json => ({
  name,
  in: 'header',
  required: true,
  description,
  schema,
});

const deliveryHeaders: readonly Json[] = [
  header(
    'Service-Signature',
    '`v1=` and the hex HMAC-SHA256 of `<Service-Timestamp>.<raw body>`; the key is the whole secret, with `whsec_`.',
  ),
  header('Service-Timestamp', 'Unix seconds of this attempt.'),
  header('Service-Delivery', 'The id of this attempt.', { type: 'string', format: 'uuid' }),
  header('Service-Attempt', 'The number of this attempt, from 1.'),
  header('Service-Event', 'The name of the event.'),
  header('webhook-id', 'Standard Webhooks: the id of the event.', { type: 'string', format: 'uuid' }),
  header('webhook-timestamp', 'Standard Webhooks: the same as Service-Timestamp.'),
  header(
    'webhook-signature',
    'Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>`; the key is the base64 decoding of what follows `whsec_`.',
  ),
];
