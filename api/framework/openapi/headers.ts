import type { Json } from './schemas.ts';

/** A response that names a header always has it, unless it is optional. */
const header = (description: string, schema: Json): Json => ({ description, required: true, schema });
const optional = (description: string, schema: Json): Json => ({ description, required: false, schema });
const count = { type: 'integer', minimum: 0 };

/** The headers of answers, as components. */
export const responseHeaders = {
  'Request-Id': header('Identifies the request. Equal to the request_id of an error.', { type: 'string' }),
  'RateLimit-Limit': header(
    'The number of requests that the window allows the key; those of the Site or the organisation, if their limit refuses the request.',
    count,
  ),
  'RateLimit-Remaining': header('The number of requests that remain in the window.', count),
  'RateLimit-Reset': header('Unix seconds when the window ends.', count),
  ETag: header('The weak tag of this version, for If-None-Match and If-Match.', { type: 'string' }),
  Location: optional('The URL of the new object. An answer that asks for approval has none.', {
    type: 'string',
    format: 'uri',
  }),
  'Retry-After': header('Seconds to wait before the next try.', { type: 'integer', minimum: 1 }),
  'Idempotency-Replayed': optional(
    'true if this is the stored answer to an earlier request with the same Idempotency-Key; otherwise absent.',
    { type: 'string', const: 'true' },
  ),
  'WWW-Authenticate': header('Bearer.', { type: 'string', const: 'Bearer' }),
  Allow: header('The methods that the path allows.', { type: 'string' }),
} as const satisfies Record<string, Json>;

export type ResponseHeader = keyof typeof responseHeaders;

/** References to components, for a response. */
export const headersOf = (...names: readonly ResponseHeader[]): Json =>
  Object.fromEntries([...always, ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** Every answer has them (docs/spec/rulings.md, 1). */
const always: readonly ResponseHeader[] = [
  'Request-Id',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
];
