import { nameOf, OPEN_ENUMERATION } from '../../../api/framework/openapi/json-schema.ts';
import type { Schema } from '../../../api/framework/openapi/json-schema.ts';

/** A comment of TypeScript. Its type says that an enumeration is open. */
export function comment(text: string | undefined, indent = ''): string {
  const said = (text ?? '').replace(OPEN_ENUMERATION, '').replaceAll('*/', '*\\/').trim();
  if (said === '') return '';
  if (!said.includes('\n')) return `${indent}/** ${said} */\n`;
  return `${indent}/**\n${said.replace(/^/gm, `${indent} * `).replace(/ +$/gm, '')}\n${indent} */\n`;
}

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : JSON.stringify(value);

export const union = (values: readonly unknown[]): string => values.map(literal).join(' | ');

/**
 * The TypeScript type of a schema.
 *
 * @param readonly what stands before the type of an array
 */
export function typeOf(schema: Schema, readonly: '' | 'readonly ' = ''): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref);
  if ('const' in schema) return literal(schema.const);
  if (schema.enum) return union(schema.enum);
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) return alternatives.map((each) => typeOf(each, readonly)).join(' | ');
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  if (types.length === 0) return 'unknown';
  return types.map((type) => typeOfOne(type, schema, readonly)).join(' | ');
}

function typeOfOne(type: string, schema: Schema, readonly: '' | 'readonly '): string {
  switch (type) {
    case 'string': {
      const known = schema['x-extensible-enum'];
      return known ? `Open<${union(known.filter((value) => value !== null))}>` : 'string';
    }
    case 'integer':
    case 'number':
      return 'number';
    case 'array': {
      const item = typeOf(schema.items ?? {}, readonly);
      return `${readonly}${/^\w+$/.test(item) ? item : `(${item})`}[]`;
    }
    case 'object':
      return objectType(schema, readonly);
    default:
      return type;
  }
}

function objectType(
  { properties, additionalProperties, required }: Schema,
  readonly: '' | 'readonly ',
): string {
  if (properties) return `{\n${members(properties, required, readonly)}}`;
  const value = typeof additionalProperties === 'object' ? typeOf(additionalProperties, readonly) : 'unknown';
  return `Record<string, ${value}>`;
}

/** The members of an interface, one line each. */
export const members = (
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[] = [],
  readonly: '' | 'readonly ' = '',
): string =>
  Object.entries(properties)
    .map(([name, schema]) => {
      const key = /^\w+$/.test(name) ? name : `'${name}'`;
      const type = typeOf(schema, readonly);
      // Programs may pass undefined for members they leave out.
      const value = required.includes(name) ? `: ${type}` : `?: ${type}${readonly && ' | undefined'}`;
      return `${comment(schema.description, '  ')}  ${key}${value};\n`;
    })
    .join('');
