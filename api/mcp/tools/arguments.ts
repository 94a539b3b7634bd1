import { randomUUID } from 'node:crypto';
import { normalizeParams } from '../../framework/routes.ts';
import type { Call } from './inner-call.ts';
import type { Json } from '../../framework/openapi/schemas.ts';
import { isList, SHORT_LIST } from './describe.ts';
import { readJsonTexts } from './json-texts.ts';
import type { OperationTool } from './toolbox.ts';

/** A request over HTTP has no longer address either. */
const LONGEST_PATH = 16_384;

/** A call, and the binding of its approval. */
export interface ToolCall extends Call {
  /** Relative to the base URL, with ids in lower case and without a query. */
  readonly plainPath: string;
}

/** Arguments that cannot become a request, in words for the agent. */
export class BadArguments extends Error {}

/** Makes a request of the arguments of a tool. The operation checks their values. @throws BadArguments */
export function toolCallOf({ operation, description }: OperationTool, sent: Json): ToolCall {
  const { properties, required, $defs = {} } = description.inputSchema;
  const given = withoutBlanks(readJsonTexts(sent, description.inputSchema, $defs) as Json, required);
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(properties, name));
  if (unknown !== undefined)
    throw new BadArguments(
      `${unknown}: is no argument of ${description.name}. It has ${Object.keys(properties).join(', ') || 'none'}.`,
    );
  const missing = required.find((name) => given[name] === undefined);
  if (missing !== undefined) throw new BadArguments(`${missing}: is required.`);

  const params = paramsOf(operation.path, given);
  // Anything else could be the path of another operation.
  const normal = normalizeParams(operation, params);
  if (normal === null)
    throw new BadArguments(
      `NOT_FOUND: ${Object.keys(params).join(', ')}: must be the id of an object of this Site.`,
    );
  const path = pathOf(operation.path, normal) + queryOf(new Set(Object.keys(params)), properties, given);
  if (path.length > LONGEST_PATH)
    throw new BadArguments(
      `The arguments besides body are longer than ${LONGEST_PATH} characters together. Send less.`,
    );
  return {
    method: operation.method,
    path,
    plainPath: operation.path.replace(/:(\w+)/g, (_, name: string) => normal[name] ?? ''),
    body: given['body'],
    headers: headersOf(operation.idempotency === 'required', given),
  };
}

/** Some hosts send an empty text for each optional argument that their model did not choose. */
const withoutBlanks = (given: Json, required: readonly string[]): Json =>
  Object.fromEntries(
    Object.entries(given).filter(([name, value]) => value !== '' || required.includes(name)),
  );

function paramsOf(path: string, given: Json): Record<string, string> {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  return Object.fromEntries(names.map((name) => [name, textOf(name, given[name])]));
}

const pathOf = (path: string, params: Readonly<Record<string, string>>): string =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));

const besides: ReadonlySet<string> = new Set(['body', 'idempotency_key', 'if_match']);

function queryOf(inPath: ReadonlySet<string>, properties: Json, given: Json): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) {
    if (besides.has(name) || inPath.has(name) || value === undefined || value === null) continue;
    const texts = [value].flat().map((each) => textOf(name, each));
    if (name === 'fields') query.set(name, withStatus(texts, properties[name] as Json));
    else for (const text of texts) query.append(name, text);
  }
  if (isList(properties) && !query.has('limit')) query.set('limit', String(SHORT_LIST));
  return query.size === 0 ? '' : `?${query.toString()}`;
}

/** The wanted members as the API reads them; the status of an article says whether its text is from outside. */
const withStatus = (wanted: readonly string[], schema: Json): string =>
  [...new Set([...wanted, ...(JSON.stringify(schema).includes('"status"') ? ['status'] : [])])].join(',');

function headersOf(needsKey: boolean, given: Json): Record<string, string> {
  const key = given['idempotency_key'] ?? null;
  const version = given['if_match'] ?? null;
  return {
    ...(key !== null
      ? { 'idempotency-key': headerOf('idempotency_key', key) }
      : needsKey && { 'idempotency-key': randomUUID() }),
    ...(version !== null && { 'if-match': headerOf('if_match', version) }),
  };
}

/** @throws BadArguments */
function textOf(name: string, value: unknown): string {
  if (typeof value === 'string') {
    if (value.isWellFormed()) return value;
    throw new BadArguments(`${name}: must not contain a lone surrogate.`);
  }
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new BadArguments(`${name}: must be a text, a number or a boolean, or a list of them.`);
}

/** @throws BadArguments */
function headerOf(name: string, value: unknown): string {
  const text = textOf(name, value);
  if (/^[\x20-\x7e]{1,255}$/.test(text)) return text;
  throw new BadArguments(`${name}: must have 1 to 255 printable ASCII characters.`);
}
