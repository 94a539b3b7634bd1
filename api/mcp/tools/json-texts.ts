import { excessOf } from '../../http/json-bounds.ts';
import type { Json } from '../../framework/openapi/schemas.ts';

/**
 * Reads a text that is JSON where a schema wants an object or a list: some hosts hand on such arguments as their model
 * wrote them. What is no JSON of the wanted kind stays, and the operation refuses it by name.
 *
 * @param definitions the schemas that it refers to
 */
export function readJsonTexts(value: unknown, schema: unknown, definitions: Json): unknown {
  const forms = formsOf(schema, definitions);
  const known = typeof value === 'string' ? fromText(value, forms) : value;
  if (Array.isArray(known)) {
    const items = forms.find(({ type }) => has(type, 'array'))?.['items'];
    return items === undefined ? known : known.map((each) => readJsonTexts(each, items, definitions));
  }
  if (!isObject(known)) return known;
  const properties = forms.find(({ type }) => has(type, 'object'))?.['properties'];
  if (!isObject(properties)) return known;
  return Object.fromEntries(
    Object.entries(known).map(([name, member]) => [
      name,
      Object.hasOwn(properties, name) ? readJsonTexts(member, properties[name], definitions) : member,
    ]),
  );
}

/** A schema and its alternatives, without references. */
function formsOf(schema: unknown, definitions: Json): readonly Json[] {
  if (!isObject(schema)) return [];
  const { $ref, anyOf, oneOf } = schema;
  if (typeof $ref === 'string')
    return formsOf(definitions[$ref.slice($ref.lastIndexOf('/') + 1)], definitions);
  const alternatives = [anyOf, oneOf].flat().filter((each) => each !== undefined);
  return [schema, ...alternatives.flatMap((each) => formsOf(each, definitions))];
}

function fromText(text: string, forms: readonly Json[]): unknown {
  const wants = (type: string): boolean => forms.some((form) => has(form['type'], type));
  if (wants('string') || !(wants('object') || wants('array'))) return text;
  if (!/^\s*[[{]/.test(text) || excessOf(Buffer.from(text)) !== null) return text;
  try {
    const parsed: unknown = JSON.parse(text);
    return wants(Array.isArray(parsed) ? 'array' : 'object') ? parsed : text;
  } catch {
    return text;
  }
}

const has = (type: unknown, name: string): boolean => [type].flat().includes(name);

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
