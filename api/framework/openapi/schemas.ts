import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { OPEN_ENUMERATION } from './json-schema.ts';

export type Json = Record<string, unknown>;

/** `input` is the form of requests, `output` that of answers. */
type Direction = 'input' | 'output';

/** The formats that say more than the regular expressions behind them. */
const formats: readonly unknown[] = ['uuid', 'date-time', 'email'];

/** The schemas of the document. */
export class Components {
  readonly schemas: Json = {};

  /** The JSON Schema of a zod schema. One with an id becomes a component, and is referenced. */
  of(schema: z.ZodType, direction: Direction): Json {
    const converted = z.toJSONSchema(schema, {
      io: direction,
      unrepresentable: 'any',
      target: 'draft-2020-12',
    }) as Json;
    const { $schema: _dialect, $defs, ...rest } = converted;
    for (const [name, definition] of Object.entries(($defs ?? {}) as Record<string, Json>))
      this.add(name, tidy(definition, direction));
    return typeof rest['id'] === 'string'
      ? this.add(rest['id'], tidy(rest, direction))
      : tidy(rest, direction);
  }

  /** @throws Error if another shape has this name */
  add(name: string, schema: Json): Json {
    const known = this.schemas[name];
    if (known !== undefined && !isDeepStrictEqual(known, schema))
      throw new Error(`two schemas of the OpenAPI document have the name ${name}`);
    this.schemas[name] = schema;
    return { $ref: `#/components/schemas/${name}` };
  }
}

/** Leaves out empty parts, and those that would make clients refuse an answer that has gained a member or a value. */
function tidy(schema: Json, direction: Direction): Json {
  const { id: _id, examples: _examples, ...node } = schema;
  if (typeof node['$ref'] === 'string') {
    return { ...node, $ref: node['$ref'].replace('#/$defs/', '#/components/schemas/') };
  }
  const inside = (inner: unknown): unknown =>
    typeof inner === 'object' && inner !== null ? tidy(inner as Json, direction) : inner;
  for (const name of ['items', 'additionalProperties', 'propertyNames']) {
    if (name in node) node[name] = inside(node[name]);
  }
  for (const name of ['anyOf', 'oneOf', 'allOf']) {
    if (name in node) node[name] = (node[name] as unknown[]).map(inside);
  }
  if ('properties' in node) {
    const properties = Object.entries(node['properties'] as Json);
    node['properties'] = Object.fromEntries(properties.map(([name, inner]) => [name, inside(inner)]));
  }
  if (direction === 'output') open(node);
  return nullable(withoutNoise(node));
}

/** Clients must tolerate members and values that they do not know (docs/spec/service-api.md, Versioning). */
function open(node: Json): void {
  if (node['additionalProperties'] === false) delete node['additionalProperties'];
  const { enum: values, description } = node;
  if (!Array.isArray(values)) return;
  delete node['enum'];
  Object.assign(node, openEnumeration(values, description as string | undefined));
}

/** An enumeration of an answer, which may gain values. */
export const openEnumeration = (values: readonly unknown[], description?: string): Json => ({
  type: 'string',
  'x-extensible-enum': values,
  description: [description, OPEN_ENUMERATION].filter(Boolean).join(' '),
});

function withoutNoise(node: Json): Json {
  if (node['maximum'] === Number.MAX_SAFE_INTEGER) delete node['maximum'];
  if (node['minimum'] === Number.MIN_SAFE_INTEGER) delete node['minimum'];
  if (formats.includes(node['format']) || node['type'] !== 'string') delete node['pattern'];
  if (isDeepStrictEqual(node['propertyNames'], { type: 'string' })) delete node['propertyNames'];
  return node;
}

/** `anyOf [{type: string}, {type: null}]` as `type: [string, null]`. */
function nullable(node: Json): Json {
  const { anyOf, ...rest } = node;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return node;
  const [value, none] = anyOf as [Json, Json];
  if (none['type'] !== 'null' || typeof value['type'] !== 'string') return node;
  const values = Array.isArray(value['enum']) ? { enum: [...(value['enum'] as unknown[]), null] } : {};
  const described = [rest['description'], value['description']].filter(Boolean).join(' ');
  return {
    ...value,
    ...rest,
    type: [value['type'], 'null'],
    ...values,
    ...(described === '' ? {} : { description: described }),
  };
}
