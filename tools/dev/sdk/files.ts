import { nameOf } from '../../../api/framework/openapi/json-schema.ts';
import type { Schema } from '../../../api/framework/openapi/json-schema.ts';
import { bodyTypeOf, readOperations } from './read-operations.ts';
import type { Document, SdkOperation } from './read-operations.ts';
import { comment, members, typeOf, union } from './schema-types.ts';

const HEAD = '// Generated from the declarations in api/ by npm run generate; do not edit.\n';

/** The generated files of the SDK, by their name in sdk/src/generated. */
export function sdkFiles(document: Document): Readonly<Record<string, string>> {
  const operations = readOperations(document);
  return {
    'schemas.ts': schemas(document, operations),
    'operations.ts': table(operations),
    'resources.ts': resources(document, operations),
  };
}

/** Envelopes and errors are those of the runtime. */
const isOwn = (name: string): boolean => /Response$|^Error$|^ErrorDetail$|^ApprovalRequested$/.test(name);

function schemas(document: Document, operations: readonly SdkOperation[]): string {
  const { schemas } = document.components;
  const sent = reachable(
    schemas,
    operations.flatMap(({ body }) => (body ? [body.type] : [])),
  );
  const interfaces = Object.entries(schemas)
    .filter(([name]) => !isOwn(name))
    .map(([name, schema]) => {
      if (!schema.properties) throw new Error(`${name}: the SDK has a type for objects only`);
      const body = members(schema.properties, schema.required, sent.has(name) ? 'readonly ' : '');
      return `${comment(schema.description)}export interface ${name} {\n${body}}\n`;
    });
  const codes = schemas['ErrorDetail']?.properties?.['code'];
  const known = codes?.enum ?? codes?.['x-extensible-enum'] ?? [];
  const events = Object.values(document.webhooks).map(({ post }) => bodyTypeOf(post.requestBody));
  return `${HEAD}
/** One of these values; a later version of the API may answer others. */
export type Open<Value extends string> = Value | (string & {});

/** The codes of errors that the API answers. */
export type ApiErrorCode = ${union(known)};

/** The events of a webhook endpoint. A later version of the API may send other events: ignore them. */
export type WebhookEvent = ${events.join(' | ')};

${interfaces.join('\n')}`;
}

/** The components that these refer to, and themselves. */
function reachable(schemas: Readonly<Record<string, Schema>>, names: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  const waiting = [...names];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    const refs = JSON.stringify(schemas[name]).matchAll(/"\$ref":"([^"]+)"/g);
    for (const [, $ref = ''] of refs) waiting.push(nameOf($ref));
  }
  return found;
}

/** The runtime's table of operations. */
function table(operations: readonly SdkOperation[]): string {
  const rows = operations.map((operation) => {
    const { resource, name, method, path, options, pageSize, body, query } = operation;
    const input = body ? 'body' : query.length > 0 ? 'query' : undefined;
    const row = [
      `request: '${method} ${path}'`,
      ...(input ? [`input: '${input}'`] : []),
      ...(options.length > 0 ? [`options: [${options.map((each) => `'${each}'`).join(', ')}]`] : []),
      ...(pageSize === undefined ? [] : [`pageSize: ${pageSize}`]),
    ];
    const key = resource === undefined ? name : `'${resource}.${name}'`;
    return `  ${key}: { ${row.join(', ')} },\n`;
  });
  return `${HEAD}
import type { Operation } from '../operation.ts';

/** Every operation, by its method: articles.list, or ping for one of the client itself. */
export const operations: Readonly<Record<string, Operation>> = {
${rows.join('')}};
`;
}

/** The types of the methods. */
function resources(document: Document, operations: readonly SdkOperation[]): string {
  const byResource = Map.groupBy(operations, ({ resource }) => resource);
  const own = byResource.get(undefined) ?? [];
  byResource.delete(undefined);
  const named = [...byResource].map(
    ([resource = '', all]) => [resource, `${capitalised(resource)}Resource`, all] as const,
  );
  const queries = operations
    .filter(({ query }) => filters(query).length > 0)
    .map(queryType)
    .join('\n');
  const interfaces = named.map(
    ([, type, all]) =>
      `export interface ${type} {\n${all.map((each) => methodType(document, each)).join('\n')}}\n`,
  );
  const used = `${queries}${interfaces.join('')}${own.map((each) => methodType(document, each)).join('')}`;
  const imported = Object.keys(document.components.schemas)
    .concat('Open')
    .filter(
      (name) =>
        !isOwn(name) &&
        new RegExp(`\\b${name}\\b(?!Resource|Query)`).test(used.replaceAll(/\/\*\*[^]*?\*\//g, '')),
    );
  return `${HEAD}
import type { List } from '../list.ts';
import type { Options } from '../operation.ts';
import type { Empty, Result, WithItems } from '../result.ts';
import type {
${imported.map((name) => `  ${name},\n`).join('')}} from './schemas.ts';

/** The methods of a client: one for each operation of the API. */
export interface Resources {
${own.map((each) => methodType(document, each)).join('')}${named.map(([resource, type]) => `  readonly ${resource}: ${type};\n`).join('')}}

${interfaces.join('\n')}
${queries}`;
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const queryName = ({ id }: SdkOperation): string => `${capitalised(id)}Query`;

/** The parameters of a query besides `fields`, which is in the signature of the method. */
const filters = (query: SdkOperation['query']): SdkOperation['query'] =>
  query.filter(({ name }) => name !== 'fields');

function queryType(operation: SdkOperation): string {
  const properties = Object.fromEntries(
    filters(operation.query).map(({ name, description, schema }) => [
      name,
      { ...schema, ...(description && { description }) },
    ]),
  );
  return `export interface ${queryName(operation)} {\n${members(properties, [], 'readonly ')}}\n`;
}

function methodType(document: Document, operation: SdkOperation): string {
  const { name, about, pathParameters, query, body, options } = operation;
  const chosen = chosenFields(document, operation);
  const asked = [
    ...(filters(query).length > 0 ? [queryName(operation)] : []),
    ...(chosen ? ['{ readonly fields?: readonly Field[] | undefined }'] : []),
  ];
  const parameters = [
    ...pathParameters.map((each) => `${each.name}: ${typeOf(each.schema)}`),
    ...(body ? [`body${body.required ? '' : '?'}: ${body.type}`] : []),
    ...(asked.length > 0 ? [`query?: ${asked.join(' & ')}`] : []),
    `options?: Options${options.length > 0 ? `<${union(options)}>` : ''}`,
  ];
  const generic = chosen ? `<Field extends keyof ${chosen.type} = ${chosen.fallback}>` : '';
  return `${comment(about, '  ')}  ${name}${generic}(${parameters.join(', ')}): ${answerType(operation, chosen?.type)};\n`;
}

interface ChosenFields {
  readonly type: string;
  readonly fallback: string;
}

/** The object whose members \`fields\` chooses, and those that are answered without it. */
function chosenFields(
  document: Document,
  { id, query, answer, pageSize }: SdkOperation,
): ChosenFields | null {
  const fields = query.find(({ name }) => name === 'fields');
  if (fields === undefined) return null;
  const item = document.components.schemas[answer ?? '']?.properties?.['items']?.items?.$ref;
  const partial = pageSize === undefined ? answer : item && nameOf(item);
  if (partial === undefined) throw new Error(`${id}: fields chooses members of an answer without a name`);
  const whole = partial.replace(/^Partial/, '');
  const hasWhole = whole !== partial && whole in document.components.schemas;
  const type = hasWhole ? whole : `Required<${partial}>`;
  const fallback = fields.schema.default;
  return { type, fallback: Array.isArray(fallback) ? union(fallback) : `keyof ${type}` };
}

function answerType({ answer, pageSize }: SdkOperation, chosen: string | undefined): string {
  if (answer === undefined) return 'Promise<Result<Empty>>';
  const picked = chosen && `Pick<${chosen}, Field | 'id'>`;
  if (pageSize === undefined) return `Promise<Result<${picked ?? answer}>>`;
  return `List<${picked ? `WithItems<${answer}, ${picked}>` : answer}>`;
}
