import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../runtime/home.ts';
import { PublishedSchemas } from './published-schemas.ts';

type Json = Readonly<Record<string, any>>;

/** An answer as a client receives it. */
export interface ReceivedAnswer {
  readonly method: string;
  /** Relative to the base URL, without the query. */
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const document = JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8')) as Json;
const schemas = new PublishedSchemas(document['components'].schemas as Json);
const declaredHeaders = document['components'].headers as Json;

/** What clients of docs/openapi.json would not expect of an answer; null if it is as declared. */
export function undeclared(answer: ReceivedAnswer): string | null {
  const method = answer.method === 'HEAD' ? 'get' : answer.method.toLowerCase();
  const operation = pathItemOf(answer.path)?.[method] as Json | undefined;
  // No operation: 404 or 405.
  if (operation === undefined) return null;
  const response = whole(operation['responses'][answer.status] as Json | undefined);
  const wrong =
    response === undefined
      ? 'does not declare this status'
      : (wrongHeaders(response, answer.headers) ??
        (answer.method === 'HEAD' ? null : wrongBody(response, answer)));
  if (wrong === null) return null;
  const what = `${operation['operationId'] as string}, ${answer.method} ${answer.path}, answered ${answer.status}`;
  return `${what}, and docs/openapi.json ${wrong}. If it is out of date, run npm run generate.\n${answer.text.slice(0, 2_000)}`;
}

function wrongHeaders(response: Json, sent: Headers): string | null {
  const declared = (response['headers'] ?? {}) as Json;
  for (const [name, header] of Object.entries(declaredHeaders)) {
    const value = sent.get(name);
    if (value === null) {
      if (name in declared && (header as Json)['required'] === true) return `promises the header ${name}`;
      continue;
    }
    if (!(name in declared)) return `does not declare the header ${name}`;
    const schema = (header as Json)['schema'] as Json;
    const mistakes = schemas.mistakes(schema, schema['type'] === 'integer' ? Number(value) : value);
    if (mistakes !== null) return `declares ${name} differently: ${mistakes}`;
  }
  return null;
}

function wrongBody(response: Json, { headers, text }: ReceivedAnswer): string | null {
  const content = response['content'] as Json | undefined;
  if (content === undefined) return text === '' ? null : 'declares no body';
  const [type = ''] = (headers.get('content-type') ?? '').split(';');
  const { schema } = (content[type] ?? {}) as Json;
  if (schema === undefined) return `declares no body of type ${type}`;
  const body = JSON.parse(text) as Json;
  const mistakes = schemas.mistakes(schema as Json, body);
  if (mistakes !== null) return `has another shape: ${mistakes}`;
  const codes = response['x-error-codes'] as readonly string[] | undefined;
  if (codes !== undefined && !codes.includes(body['error'].code as string))
    return `does not declare the code ${body['error'].code as string}`;
  return null;
}

/** The paths as patterns. One without parameters wins over one with them. */
const patterns = Object.entries(document['paths'] as Json)
  .map(([path, item]) => ({
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    parameters: path.split('{').length,
    item: item as Json,
  }))
  .sort((one, other) => one.parameters - other.parameters);

const pathItemOf = (path: string): Json | undefined =>
  patterns.find(({ pattern }) => pattern.test(path))?.item;

const whole = (node: Json | undefined): Json | undefined => {
  const reference = node?.['$ref'] as string | undefined;
  if (reference === undefined) return node;
  return reference
    .slice(2)
    .split('/')
    .reduce<any>((inner, name) => inner[name], document) as Json;
};
