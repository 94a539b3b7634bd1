import { z } from 'zod';
import { errorStatus } from '../../../domain/kernel/errors.ts';
import type { Operation } from '../operation.ts';
import { exampleOfBody } from './examples.ts';
import { groups } from '../groups.ts';
import { responseHeaders } from './headers.ts';
import { parametersOf } from './parameters.ts';
import { errorResponses, responsesOf } from './responses.ts';
import { Components, openEnumeration } from './schemas.ts';
import type { Json } from './schemas.ts';

const about = `The control plane of a content site.

Every answer carries \`Request-Id\` and the \`RateLimit\` headers. Errors have one shape and a stable code. A known path with another method is 405, with \`Allow\`.

Lists are read page by page: pass \`next_cursor\` as \`cursor\` until it is null. Clients must tolerate response members, enumeration values and webhook events that they do not know.`;

/**
 * Composes the OpenAPI 3.1 document from the declarations.
 *
 * @param webhooksOf describes the requests that the service sends
 * @param server the base URL, with its version
 */
export function composeDocument(
  operations: readonly Operation[],
  webhooksOf: (components: Components) => Json,
  server: string,
): Json {
  const components = new Components();
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    const path = operation.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describe(operation, components) };
  }
  const webhooks = webhooksOf(components);
  components.add('ErrorDetail', errorDetail);
  components.add('Error', error);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Presswork',
      version: '1',
      description: about,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: server }],
    tags: groups,
    paths,
    webhooks,
    components: {
      securitySchemes: {
        key: {
          type: 'http',
          scheme: 'bearer',
          description: 'A publishable (svc_pub_…) or secret (svc_sk_…) key of the Site.',
        },
      },
      schemas: components.schemas,
      headers: responseHeaders,
      responses: errorResponses,
    },
  };
}

function describe(operation: Operation, components: Components): Json {
  const { access, description } = operation;
  const parameters = parametersOf(operation, components);
  return {
    operationId: operation.id,
    summary: operation.summary,
    ...(description === undefined ? {} : { description }),
    tags: [operation.group],
    security: operation.keyless ? [] : [{ key: access.scope === null ? [] : [access.scope] }],
    parameters,
    ...requestBody(operation, components),
    responses: responsesOf(operation, components),
    'x-permission': access.permission ?? 'none',
    'x-rate-class': access.rateClass,
    'x-publishable-key': access.publishable,
    ...(operation.approval ? { 'x-approval-gated': true } : {}),
    ...(parameters.some(({ name }) => name === 'cursor') ? { 'x-pagination': pagination } : {}),
  };
}

/** For clients that go through all pages of a list. */
const pagination: Json = { parameter: 'cursor', items: 'data.items', next: 'data.next_cursor' };

function requestBody(operation: Operation, components: Components): Json {
  const { body } = operation;
  if (body === undefined) return {};
  const required = !body.safeParse(undefined).success;
  const schema = body instanceof z.ZodOptional ? (body.unwrap() as z.ZodType) : body;
  const content = {
    'application/json': { schema: components.of(schema, 'input'), example: exampleOfBody(operation, schema) },
  };
  return { requestBody: { required, content } };
}

const errorDetail: Json = {
  type: 'object',
  required: ['code', 'message'],
  properties: {
    code: openEnumeration(Object.keys(errorStatus)),
    message: { type: 'string', description: 'What is wrong and what would be right, for people to read.' },
    fields: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'With 422: a message for each invalid field, by its dotted path.',
    },
    limit: openEnumeration(['reader', 'site', 'queue'], 'For comments: the exceeded limit.'),
  },
};

const error: Json = {
  type: 'object',
  required: ['error', 'request_id'],
  properties: { error: { $ref: '#/components/schemas/ErrorDetail' }, request_id: { type: 'string' } },
};
