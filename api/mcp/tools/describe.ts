import type { Tool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { parametersOf } from '../../framework/openapi/parameters.ts';
import { Components } from '../../framework/openapi/schemas.ts';
import type { Json } from '../../framework/openapi/schemas.ts';
import type { Gate, KeyedOperation } from '../../framework/operation.ts';
import { isChosenGate } from '../../../domain/approvals/gated-operations.ts';
import { namedTools } from './named.ts';

/** A JSON Schema that stands alone. */
type InputSchema = Tool['inputSchema'] & {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required: string[];
  readonly $defs?: Json;
};

/** A tool as `tools/list` shows it. */
export interface ToolDescription {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: InputSchema;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
}

export const toolNameOf = ({ id }: KeyedOperation): string =>
  id.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Describes an operation as a tool (docs/spec/rulings.md, 18): parameters are flat, a body is `body`. */
export function describeTool(operation: KeyedOperation): ToolDescription {
  const { id, method, summary, description, approval, group } = operation;
  const about = [`${summary}.`, description, namedTools[id], approval && waitsForPerson(approval)];
  return {
    name: toolNameOf(operation),
    title: summary,
    description: about.filter(Boolean).join(' '),
    inputSchema: inputOf(operation),
    annotations: {
      readOnlyHint: method === 'GET',
      destructiveHint: method === 'DELETE' || destructive.test(id),
      // A repeated creation creates again, unless the agent sends the same idempotency_key.
      idempotentHint: (method !== 'POST' || repeatable.test(id)) && !addsEachTime.has(id),
      openWorldHint: method !== 'GET' && reachesOut.has(group),
    },
  };
}

/** When a person has to agree first; the answer says where. */
function waitsForPerson({ actions }: Pick<Gate<unknown, unknown, string>, 'actions'>): string {
  const chosen = actions.filter((action) => isChosenGate(action));
  const others = actions.filter((action) => !isChosenGate(action));
  return [
    ...(others.length > 0
      ? [`A person has to agree first, unless the organisation has exempted ${others.join(', ')}.`]
      : []),
    ...(chosen.length > 0
      ? [`A person has to agree first, if the organisation has chosen ${chosen.join(', ')}.`]
      : []),
  ].join(' ');
}

/** Operations besides deletions that take something away for good, or from readers. */
const destructive = /^(?:erase|rotate|revoke|unpublish|remove|discard|startBulkJob|reset)/;
/** Operations that add something each time although they are no POST: a version. */
const addsEachTime: ReadonlySet<string> = new Set(['savePrompt']);
/** POST operations that say how something is to be: the second time changes nothing. */
const repeatable = /^(?:publish|unpublish|approve|hold|mark|cancel|deny)/;
/** Groups whose writes call other systems, or cost money there. */
const reachesOut: ReadonlySet<string> = new Set(['Webhooks', 'Pipeline', 'SEO', 'Pushes', 'Billing']);

type Properties = Record<string, Json>;

/** The size of a list if the agent names none: its context is small. */
export const SHORT_LIST = 10;

export const isList = (properties: Json): boolean =>
  Object.hasOwn(properties, 'limit') && Object.hasOwn(properties, 'cursor');

function inputOf(operation: KeyedOperation): InputSchema {
  const components = new Components();
  const properties: Properties = {};
  const required: string[] = [];
  for (const parameter of parametersOf(operation, components)) {
    const { name, in: place, required: isRequired, description, schema } = parameter;
    const known = place === 'header' ? headers[String(name)] : String(name);
    if (known === undefined) continue;
    properties[known] = { ...(schema as Json), ...(description ? { description } : {}) };
    if (isRequired && place !== 'header') required.push(known);
  }
  if (isList(properties)) properties['limit'] = { ...properties['limit'], default: SHORT_LIST };
  const { body } = operation;
  if (body !== undefined) {
    const isRequired = !body.safeParse(undefined).success;
    const schema = body instanceof z.ZodOptional ? (body.unwrap() as z.ZodType) : body;
    properties['body'] = inPlace(components.of(schema, 'input'), components);
    if (isRequired) required.push('body');
  }
  const input = { type: 'object' as const, properties, required, additionalProperties: false };
  return { ...inlined(input), ...definitionsOf(components) } as InputSchema;
}

/** A component itself: hosts write an argument as text if its schema is a mere reference. */
function inPlace({ $ref, ...schema }: Json, { schemas }: Components): Json {
  if (typeof $ref !== 'string') return schema;
  const name = $ref.slice($ref.lastIndexOf('/') + 1);
  const { [name]: own, ...others } = schemas;
  // It stays among the others if they refer to it.
  if (!JSON.stringify([own, others]).includes(`${$ref}"`)) delete schemas[name];
  return own as Json;
}

/** Headers that an agent may send, and how they are called among the arguments. */
const headers: Readonly<Record<string, string>> = {
  'Idempotency-Key': 'idempotency_key',
  'If-Match': 'if_match',
};

/** A schema of a tool stands alone: it holds the schemas that it refers to. */
const inlined = <Schema extends Json>(schema: Schema): Schema =>
  JSON.parse(JSON.stringify(schema).replaceAll('#/components/schemas/', '#/$defs/')) as Schema;

const definitionsOf = ({ schemas }: Components): Json =>
  Object.keys(schemas).length === 0 ? {} : { $defs: inlined(schemas) };
