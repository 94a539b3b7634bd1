import { nameOf } from '../../framework/openapi/json-schema.ts';
import type { Schema } from '../../framework/openapi/json-schema.ts';

/** The parts of the OpenAPI document that the reference shows, read into plain shapes. */

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly explode?: boolean;
  readonly schema: Schema;
}

/** An answer with a status of 2xx. */
export interface DescribedAnswer {
  readonly status: string;
  readonly description: string;
  /** Apart from those that every answer has. */
  readonly headers: readonly string[];
  /** The shape of `data`; null for no body. */
  readonly data: Schema | null;
  readonly example: unknown;
}

export interface DescribedError {
  readonly status: string;
  readonly code: string;
}

export interface DescribedOperation {
  readonly id: string;
  readonly group: string;
  readonly method: string;
  /** Without `/v1`, with `{name}` for parameters. */
  readonly path: string;
  readonly summary: string;
  /** Markdown. */
  readonly description: string;
  readonly keyless: boolean;
  readonly scope: string | null;
  readonly permission: string | null;
  readonly rateClass: string;
  readonly publishable: boolean;
  readonly gated: boolean;
  readonly parameters: readonly Parameter[];
  readonly body: { readonly required: boolean; readonly schema: Schema; readonly example: unknown } | null;
  readonly answers: readonly DescribedAnswer[];
  readonly errors: readonly DescribedError[];
}

/** An event that endpoints receive. */
export interface DescribedEvent {
  readonly name: string;
  readonly summary: string;
  readonly headers: readonly Parameter[];
  readonly schema: Schema;
  readonly example: unknown;
}

export interface DescribedGroup {
  readonly name: string;
  readonly description: string;
}

export interface Described {
  /** With `/v1`. */
  readonly baseUrl: string;
  readonly groups: readonly DescribedGroup[];
  readonly operations: readonly DescribedOperation[];
  readonly events: readonly DescribedEvent[];
  readonly schemas: Readonly<Record<string, Schema>>;
}

interface Content {
  readonly 'application/json': { readonly schema: Schema; readonly example?: unknown };
}

interface Response {
  readonly $ref?: string;
  readonly description: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Content;
  readonly 'x-error-codes'?: readonly string[];
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly security: readonly { readonly key: readonly string[] }[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, Response>>;
  readonly 'x-permission': string;
  readonly 'x-rate-class': string;
  readonly 'x-publishable-key': boolean;
  readonly 'x-approval-gated'?: boolean;
}

interface OpenApi {
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly DescribedGroup[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Response>>;
  };
}

/** @param document as `openApiDocument` makes it */
export function describeDocument(document: object): Described {
  const { servers, tags, paths, webhooks, components } = document as OpenApi;
  const { schemas } = components;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      describeOperation(path, method.toUpperCase(), operation, components),
    ),
  );
  const events = Object.entries(webhooks).map(([name, { post }]) => ({
    name,
    summary: post.summary,
    headers: post.parameters,
    schema: post.requestBody?.content['application/json'].schema ?? {},
    example: post.requestBody?.content['application/json'].example,
  }));
  return { baseUrl: servers[0]?.url ?? '', groups: tags, operations, events, schemas };
}

function describeOperation(
  path: string,
  method: string,
  operation: Operation,
  components: OpenApi['components'],
): DescribedOperation {
  const scopes = operation.security[0]?.key;
  const json = operation.requestBody?.content['application/json'];
  const responses = Object.entries(operation.responses).map(
    ([status, response]) => [status, resolveResponse(response, components)] as const,
  );
  const answers = responses.filter(([status]) => status.startsWith('2'));
  return {
    id: operation.operationId,
    group: operation.tags[0] ?? '',
    method,
    path,
    summary: operation.summary,
    description: operation.description ?? '',
    keyless: scopes === undefined,
    scope: scopes?.[0] ?? null,
    permission: operation['x-permission'] === 'none' ? null : operation['x-permission'],
    rateClass: operation['x-rate-class'],
    publishable: operation['x-publishable-key'],
    gated: operation['x-approval-gated'] ?? false,
    parameters: operation.parameters,
    body:
      json === undefined
        ? null
        : { required: operation.requestBody?.required ?? false, schema: json.schema, example: json.example },
    answers: answers.map(([status, { description, headers = {}, content }]) => {
      const body = content?.['application/json'];
      return {
        status,
        description,
        headers: Object.keys(headers).filter((name) => !/^(RateLimit-|Request-Id)/.test(name)),
        data:
          body === undefined ? null : (resolve(body.schema, components.schemas).properties?.['data'] ?? null),
        example: body?.example,
      };
    }),
    errors: responses.flatMap(([status, { 'x-error-codes': codes = [] }]) =>
      codes.map((code) => ({ status, code })),
    ),
  };
}

function resolveResponse(response: Response, { responses }: OpenApi['components']): Response {
  return response.$ref === undefined ? response : (responses[nameOf(response.$ref)] ?? response);
}

/** Follows a reference to a component. */
export const resolve = (schema: Schema, schemas: Described['schemas']): Schema =>
  schema.$ref === undefined ? schema : (schemas[nameOf(schema.$ref)] ?? schema);
