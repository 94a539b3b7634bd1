import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import { errorStatus } from '../domain/errors.ts';
import type { ErrorCode } from '../domain/errors.ts';
import { generalErrors } from './general-errors.ts';
import { answersOf } from './answers.ts';
import type { Operation } from './operation.ts';

type Json = Record<string, unknown>;

/**
 * The OpenAPI 3.1 document, read off the declarations.
 *
 * @param server the base address, with its version
 */
export function openApiDocument(operations: readonly Operation[], server: string): Json {
  const schemas: Json = {};
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    const path = operation.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describe(operation, schemas) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Presswork',
      version: '1',
      description:
        'The control plane of a content site. Every answer carries Request-Id and the RateLimit headers; errors have one shape and a stable code.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: server }],
    paths,
    components: {
      securitySchemes: {
        key: {
          type: 'http',
          scheme: 'bearer',
          description: 'A publishable (svc_pub_…) or secret (svc_sk_…) key of the Site.',
        },
      },
      schemas: { ...schemas, Error: errorSchema },
    },
  };
}

function describe(operation: Operation, schemas: Json): Json {
  const { access } = operation;
  return {
    operationId: operationId(operation),
    summary: operation.summary,
    ...(operation.description === undefined ? {} : { description: operation.description }),
    tags: [operation.group],
    security: operation.keyless ? [] : [{ key: access.scope === null ? [] : [access.scope] }],
    parameters: [...pathParameters(operation), ...queryParameters(operation), ...headerParameters(operation)],
    ...requestBody(operation, schemas),
    responses: { ...answers(operation, schemas), ...unchanged(operation), ...errors(operation) },
    'x-permission': access.permission ?? 'none',
    'x-rate-class': access.rateClass,
    'x-publishable-key': access.publishable,
    ...(operation.approval ? { 'x-approval-gated': true } : {}),
  };
}

/** `GET /articles/:id/publish` is `getArticlesIdPublish`. */
const operationId = ({ method, path }: Operation): string =>
  method.toLowerCase() +
  path
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

const pathParameters = ({ path, textParams = [] }: Operation): Json[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: textParams.includes(name) ? { type: 'string' } : { type: 'string', format: 'uuid' },
  }));

function queryParameters({ query }: Operation): Json[] {
  if (!(query instanceof z.ZodObject)) return [];
  return Object.entries(query.shape as Record<string, z.ZodType>).map(([name, schema]) => {
    const { description, ...rest } = toSchema(schema, {});
    return { name, in: 'query', required: false, ...(description ? { description } : {}), schema: rest };
  });
}

function headerParameters({ idempotency, conditional, approval, method }: Operation): Json[] {
  const header = (name: string, required: boolean, description: string): Json => ({
    name,
    in: 'header',
    required,
    description,
    schema: { type: 'string' },
  });
  return [
    ...(idempotency
      ? [
          header(
            'Idempotency-Key',
            idempotency === 'required',
            '1 to 255 printable ASCII characters, kept for 24 hours.',
          ),
        ]
      : []),
    ...(conditional
      ? [header('If-Match', false, 'The ETag of the version that the change was made for.')]
      : []),
    ...(approval
      ? [header('Service-Approval', false, 'The id of a person’s approval, of a key held by an agent.')]
      : []),
    ...(method === 'GET'
      ? [header('If-None-Match', false, 'Answers 304 where the version is this one.')]
      : []),
  ];
}

function requestBody({ body }: Operation, schemas: Json): Json {
  if (body === undefined) return {};
  const required = !body.safeParse(undefined).success;
  const schema = body instanceof z.ZodOptional ? (body.unwrap() as z.ZodType) : body;
  return {
    requestBody: { required, content: { 'application/json': { schema: toSchema(schema, schemas) } } },
  };
}

function answers(operation: Operation, schemas: Json): Json {
  const described = Object.entries(answersOf(operation)).map(([status, schema]) => {
    const asked = operation.approval !== undefined && status === '202';
    const description = asked ? askedForApproval : (STATUS_CODES[status] ?? '');
    if (!schema) return [status, { description }];
    const envelope = {
      type: 'object',
      required: ['data'],
      properties: { data: toSchema(schema, schemas, 'output') },
    };
    return [status, { description, content: { 'application/json': { schema: envelope } } }];
  });
  return Object.fromEntries(described) as Json;
}

const askedForApproval =
  'Accepted. With data.approval: nothing has been done; the key is held by an agent, and a person has been asked to approve it.';

/** What is read by its id, or a slug, has an ETag, and is not sent again to whoever has it. */
const unchanged = ({ method, path }: Operation): Json =>
  method === 'GET' && /\/:\w+$/.test(path) ? { 304: { description: 'Not Modified' } } : {};

/** Whether a code says something of the caller's key. */
const isOfKeys = (code: ErrorCode): boolean => errorStatus[code] === 401 || errorStatus[code] === 403;

function errors(operation: Operation): Json {
  const general = operation.keyless ? generalErrors.filter((code) => !isOfKeys(code)) : generalErrors;
  const codes = new Set<ErrorCode>([...general, ...operation.errors]);
  if (operation.path.includes(':')) codes.add('NOT_FOUND');
  if (operation.method === 'POST' || operation.method === 'PATCH') codes.add('VALIDATION_FAILED');
  if (operation.conditional) codes.add('PRECONDITION_FAILED');
  if (operation.approval) codes.add('APPROVAL_DENIED').add('APPROVAL_INVALID');
  if (operation.idempotency) codes.add('IDEMPOTENCY_KEY_CONFLICT').add('IDEMPOTENCY_KEY_IN_FLIGHT');
  const byStatus = Map.groupBy(codes, (code) => errorStatus[code]);
  const described = [...byStatus]
    .sort(([left], [right]) => left - right)
    .map(([status, list]) => [
      String(status),
      {
        description: list.join(', '),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]);
  const error = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };
  const ofBody =
    operation.method === 'POST' || operation.method === 'PATCH' ? { 413: tooLarge, 415: notJson } : {};
  const unread = Object.entries(ofBody).map(([status, description]) => [
    status,
    { description, content: error },
  ]);
  return Object.fromEntries([...described, ...unread]) as Json;
}

const tooLarge = 'INVALID_REQUEST: the body is larger than 1 MiB';
const notJson = 'INVALID_REQUEST: the body is not application/json, or encoded';

const errorSchema: Json = {
  type: 'object',
  required: ['error', 'request_id'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: { type: 'string', enum: Object.keys(errorStatus) },
        message: { type: 'string' },
        fields: {
          type: 'object',
          additionalProperties: { type: 'string' },
          description: 'Dotted path to a message; on 422.',
        },
        limit: {
          type: 'string',
          enum: ['reader', 'site', 'queue'],
          description: 'Which limit of comments was met.',
        },
      },
    },
    request_id: { type: 'string' },
  },
};

/** The JSON Schema of a zod schema; what has an id goes among the components once and is referred to. */
function toSchema(schema: z.ZodType, schemas: Json, io: 'input' | 'output' = 'input'): Json {
  const converted = z.toJSONSchema(schema, { io, unrepresentable: 'any', target: 'draft-2020-12' }) as Json;
  const { $schema: _dialect, $defs, id, ...rest } = relocate(converted) as Json;
  for (const [name, definition] of Object.entries(($defs ?? {}) as Record<string, Json>)) {
    const { id: _id, ...shape } = definition;
    schemas[name] = shape;
  }
  if (typeof id !== 'string') return rest;
  schemas[id] = rest;
  return { $ref: `#/components/schemas/${id}` };
}

/** Points `#/$defs/Name` at the document's components. */
function relocate(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(relocate);
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([name, value]) =>
      name === '$ref' && typeof value === 'string'
        ? [name, value.replace('#/$defs/', '#/components/schemas/')]
        : [name, relocate(value)],
    ),
  );
}
