import { MAXIMUM_LIMIT } from '../../../api/framework/schema/query.ts';
import { sdkNameOf } from '../../../api/framework/openapi/sdk-names.ts';
import type { SdkName } from '../../../api/framework/openapi/sdk-names.ts';
import { nameOf } from '../../../api/framework/openapi/json-schema.ts';
import type { Schema } from '../../../api/framework/openapi/json-schema.ts';

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description?: string;
  readonly explode?: boolean;
  readonly schema: Schema;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface Described {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: Content & { readonly required: boolean };
  readonly responses: Readonly<Record<string, Content>>;
}

/** The OpenAPI document, with the members that are read here. */
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: { readonly requestBody: Content } }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** The table's entry of an operation. */
export interface SdkOperation extends SdkName {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly about: string;
  readonly pathParameters: readonly Parameter[];
  readonly query: readonly Parameter[];
  /** The type of the body, and whether it is required. */
  readonly body?: { readonly type: string; readonly required: boolean };
  /** The options that it takes besides `signal`. */
  readonly options: readonly OptionName[];
  /** The component of `data`; undefined if nothing is answered. */
  readonly answer?: string;
  /** For a list: the number of items of the largest page, or 0 if that cannot be chosen. */
  readonly pageSize?: number;
}

/** Options by the header that they are sent in. */
const optionNames = {
  'Idempotency-Key': 'idempotencyKey',
  'If-Match': 'ifMatch',
  'Service-Approval': 'approval',
} as const;
type OptionName = (typeof optionNames)[keyof typeof optionNames];

const schemaOf = (content: Content | undefined): Schema | undefined =>
  content?.content?.['application/json']?.schema;

export const bodyTypeOf = (content: Content | undefined): string | undefined => {
  const $ref = schemaOf(content)?.$ref;
  return $ref === undefined ? undefined : nameOf($ref);
};

export function readOperations(document: Document): readonly SdkOperation[] {
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) =>
      readOperation(document, method.toUpperCase(), path, described),
    ),
  );
  const names = all.map(({ resource, name }) => `${resource}.${name}`);
  const twice = names.find((name, index) => name.endsWith('.') || names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`the SDK would have ${twice} twice, or without a name`);
  return all;
}

function readOperation(document: Document, method: string, path: string, described: Described): SdkOperation {
  const { operationId: id, summary, description, parameters, requestBody } = described;
  const listed = parameters.find(({ name, explode }) => explode === false && name !== 'fields');
  if (listed !== undefined) throw new Error(`${id}: the SDK joins only fields by commas, not ${listed.name}`);
  const type = bodyTypeOf(requestBody);
  const answer = answerOf(document, described);
  const properties = answer === undefined ? undefined : document.components.schemas[answer]?.properties;
  if (properties !== undefined && 'meta' in properties) throw new Error(`${answer}: meta is the SDK's`);
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const limit = query.find(({ name }) => name === 'limit');
  return {
    ...sdkNameOf(id, path),
    id,
    method,
    path,
    about: [`${summary}: \`${method} ${path}\``, description].filter(Boolean).join('\n\n'),
    pathParameters: parameters.filter((parameter) => parameter.in === 'path'),
    query,
    ...(type !== undefined && requestBody && { body: { type, required: requestBody.required } }),
    options: parameters.flatMap(({ name }) =>
      name in optionNames ? [optionNames[name as keyof typeof optionNames]] : [],
    ),
    ...(answer !== undefined && { answer }),
    ...(id.startsWith('list') &&
      properties?.['items'] && { pageSize: limit === undefined ? 0 : MAXIMUM_LIMIT }),
  };
}

/** The component of `data` of the successful answer that is not about an approval. */
function answerOf({ components }: Document, { operationId, responses }: Described): string | undefined {
  const found = new Set<string>();
  for (const [status, response] of Object.entries(responses)) {
    const envelope = status.startsWith('2') ? bodyTypeOf(response) : undefined;
    if (envelope === undefined) continue;
    const data = components.schemas[envelope]?.properties?.['data'];
    for (const { $ref } of data?.oneOf ?? [data ?? {}]) if ($ref !== undefined) found.add(nameOf($ref));
  }
  found.delete('ApprovalRequested');
  if (found.size > 1) throw new Error(`${operationId} has several answers: ${[...found].join(', ')}`);
  return [...found][0];
}
