import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import { errorStatus } from '../../../domain/kernel/errors.ts';
import type { ErrorCode } from '../../../domain/kernel/errors.ts';
import { answersObject, answersOf } from '../answers.ts';
import { ApprovalRequested } from '../approval-schema.ts';
import { errorCodesOf } from '../error-codes.ts';
import type { Operation } from '../operation.ts';
import { exampleOf } from './examples.ts';
import { headersOf } from './headers.ts';
import type { ResponseHeader } from './headers.ts';
import type { Components, Json } from './schemas.ts';

/** The responses of an operation, by status. */
export const responsesOf = (operation: Operation, components: Components): Json => ({
  ...answers(operation, components),
  ...(answersObject(operation) ? { 304: { description: 'Not Modified', headers: headersOf('ETag') } } : {}),
  ...errors(operation),
});

function answers(operation: Operation, components: Components): Json {
  const described = Object.entries(answersOf(operation)).map(([status, schema]) => [
    status,
    answer(operation, status, schema ?? null, components),
  ]);
  return Object.fromEntries(described) as Json;
}

function answer(
  operation: Operation,
  status: string,
  schema: z.ZodType | null,
  components: Components,
): Json {
  const mayAsk = operation.approval !== undefined && status === '202';
  const description = mayAsk ? askedForApproval : (STATUS_CODES[status] ?? '');
  // An approval that is asked for has neither; it is not stored for the idempotency key.
  const own = schema === ApprovalRequested ? [] : headersOfOwn(operation);
  const headers = headersOf(...own);
  if (schema === null) return { description, headers };
  const data = schema instanceof z.ZodUnion ? exclusive(schema, components) : components.of(schema, 'output');
  const name = schema.meta()?.id ?? capitalised(operation.id);
  const envelope = components.add(`${name}Response`, {
    type: 'object',
    required: ['data'],
    properties: { data },
  });
  const example = { data: exampleOf(operation, schema) };
  return { description, headers, content: { 'application/json': { schema: envelope, example } } };
}

const askedForApproval =
  'Accepted. With data.approval, nothing has been done yet: the key is held by an agent, and a person has been asked for approval.';

const headersOfOwn = (operation: Operation): ResponseHeader[] => [
  ...(answersObject(operation) ? (['ETag'] as const) : (operation.headers ?? [])),
  ...(operation.idempotency ? (['Idempotency-Replayed'] as const) : []),
];

/** One of several shapes, of which each requires a member that the others lack. */
const exclusive = (union: z.ZodUnion, components: Components): Json => ({
  oneOf: union.options.map((option) => components.of(option as z.ZodType, 'output')),
});

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function errors(operation: Operation): Json {
  const byStatus = Map.groupBy(errorCodesOf(operation), (code) => errorStatus[code]);
  const described = [...byStatus].map(([status, codes]) => [
    status,
    shared.get(`${status} ${codes.join()}`) ?? errorResponse(codes.join(', '), codes, status),
  ]);
  const takesBody = operation.method === 'POST' || operation.method === 'PATCH';
  const unread = (takesBody ? [408, 413, 415, 431] : [408, 431]).map((status) => [
    status,
    shared.get(`${status} INVALID_REQUEST`),
  ]);
  return Object.fromEntries([...described, ...unread]) as Json;
}

function errorResponse(description: string, codes: readonly ErrorCode[], status: number): Json {
  const more: readonly ResponseHeader[] = headersOfErrors[status] ?? [];
  return {
    description,
    headers: headersOf(...more),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    'x-error-codes': codes,
  };
}

const headersOfErrors: Readonly<Record<number, readonly ResponseHeader[]>> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

const general = (name: string, status: number, description: string, ...codes: readonly ErrorCode[]) => ({
  name,
  status,
  codes,
  response: errorResponse(`${codes.join(', ')}: ${description}`, codes, status),
});

const generalResponses = [
  general('BadRequest', 400, 'a header, the query or the form of the body is wrong', 'INVALID_REQUEST'),
  general(
    'Unauthorized',
    401,
    'the key is missing or cannot be used',
    'INVALID_API_KEY',
    'API_KEY_REVOKED',
    'API_KEY_EXPIRED',
  ),
  general(
    'Forbidden',
    403,
    'the key lacks the scope, its person the permission, or agents are switched off',
    'INSUFFICIENT_SCOPE',
    'AGENT_ACCESS_DISABLED',
  ),
  general('NotFound', 404, 'the object does not exist in this Site', 'NOT_FOUND'),
  general(
    'MethodNotAllowed',
    405,
    'the path has operations, but none with this method; Allow lists those that it has',
    'INVALID_REQUEST',
  ),
  general(
    'RequestTimeout',
    408,
    'the request did not arrive completely within 30 seconds',
    'INVALID_REQUEST',
  ),
  general(
    'PreconditionFailed',
    412,
    'If-Match names another version; nothing was written',
    'PRECONDITION_FAILED',
  ),
  general('ContentTooLarge', 413, 'the body is larger than 1 MiB', 'INVALID_REQUEST'),
  general(
    'UnsupportedMediaType',
    415,
    'the body is not application/json, or has a Content-Encoding',
    'INVALID_REQUEST',
  ),
  general('ValidationFailed', 422, 'error.fields has a message for each wrong field', 'VALIDATION_FAILED'),
  general(
    'TooManyRequests',
    429,
    'a limit of the key, its Site or its organisation is exceeded',
    'RATE_LIMIT_EXCEEDED',
  ),
  general('HeadersTooLarge', 431, 'the headers are larger than 32 KiB', 'INVALID_REQUEST'),
  general('InternalError', 500, 'the service failed; try again', 'INTERNAL_ERROR'),
  general(
    'Unavailable',
    503,
    'writes are paused, a search took longer than its second, or the service cannot do this at the moment',
    'MAINTENANCE',
  ),
];

/** The error responses that operations have in common, by name. */
export const errorResponses: Json = Object.fromEntries(
  generalResponses.map(({ name, response }) => [name, response]),
);

const shared = new Map(
  generalResponses.map(({ name, status, codes }) => [
    `${status} ${codes.join()}`,
    { $ref: `#/components/responses/${name}` },
  ]),
);
