import { html } from '../../http/html.ts';
import type { Html } from '../../http/html.ts';
import { nameOf } from '../../framework/openapi/json-schema.ts';
import type { Schema } from '../../framework/openapi/json-schema.ts';
import { resolve } from './described.ts';
import type { Described, Parameter } from './described.ts';
import { inlineMarkdown } from './markdown.ts';

type Schemas = Described['schemas'];

/** Deeper members are not shown. No shape of the service is deeper. */
const DEEPEST = 6;

/** The members of an object, nested ones folded in. @returns null if it has none */
export function membersOf(
  schema: Schema,
  schemas: Schemas,
  direction: 'sent' | 'answered',
  depth = 0,
): Html | null {
  const { properties, required = [] } = objectIn(schema, schemas) ?? {};
  if (properties === undefined || Object.keys(properties).length === 0) return null;
  const rows = Object.entries(properties).map(([name, member]) => {
    const inner = depth < DEEPEST ? membersOf(member, schemas, direction, depth + 1) : null;
    const isRequired = direction === 'sent' && required.includes(name);
    const nested =
      inner === null
        ? null
        : html`<details class="nested">
            <summary>Members of <code>${name}</code>${isList(member) ? ' items' : ''}</summary>
            ${inner}
          </details>`;
    return field(name, member, schemas, {
      required: isRequired,
      description: descriptionOf(member, schemas),
      nested,
    });
  });
  return html`<ul class="fields">
    ${rows}
  </ul>`;
}

/** The parameters of an operation that are sent in one place. */
export function parametersIn(
  parameters: readonly Parameter[],
  place: Parameter['in'],
  schemas: Schemas,
): Html | null {
  const found = parameters.filter((parameter) => parameter.in === place);
  if (found.length === 0) return null;
  const rows = found.map(({ name, required, description = '', schema }) =>
    field(name, schema, schemas, { required, description, nested: null }),
  );
  return html`<ul class="fields">
    ${rows}
  </ul>`;
}

interface Row {
  readonly required: boolean;
  readonly description: string;
  readonly nested: Html | null;
}

function field(name: string, schema: Schema, schemas: Schemas, row: Row): Html {
  const values = valuesOf(schema, schemas);
  const bounds = boundsOf(resolve(schema, schemas));
  return html`<li>
    <p class="name">
      <code>${name}</code> <span class="type">${typeOf(schema, schemas)}</span>
      ${row.required ? html`<span class="required">required</span>` : null}
    </p>
    <div class="says">
      ${row.description === '' ? null : html`<p>${inlineMarkdown(row.description)}</p>`}
      ${bounds === '' ? null : html`<p class="bounds">${bounds}</p>`}
      ${
        values.length === 0
          ? null
          : html`<p class="values">
              One of
              ${values.map((value, index) => html`${index === 0 ? '' : ', '}<code>${String(value)}</code>`)}
            </p>`
      }
      ${row.nested}
    </div>
  </li>`;
}

/** The type in words: `string or null`, `array of uuid`. */
function typeOf(schema: Schema, schemas: Schemas): string {
  if (schema.$ref !== undefined) return 'object';
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives !== undefined) return alternatives.map((one) => typeOf(one, schemas)).join(' or ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? ['any']);
  return types.map((type) => typeName(type, schema, schemas)).join(' or ');
}

function typeName(type: string, schema: Schema, schemas: Schemas): string {
  if (type === 'array')
    return schema.items === undefined ? 'array' : `array of ${typeOf(schema.items, schemas)}`;
  if (type === 'string' && schema.format !== undefined) return schema.format;
  return type;
}

/** The object with members that a schema describes, itself or in a list or an alternative. */
function objectIn(schema: Schema, schemas: Schemas): Schema | undefined {
  const { properties, items, anyOf, oneOf } = resolve(schema, schemas);
  if (properties !== undefined) return resolve(schema, schemas);
  if (items !== undefined) return objectIn(items, schemas);
  return (anyOf ?? oneOf ?? []).map((one) => objectIn(one, schemas)).find(Boolean);
}

const isList = (schema: Schema): boolean => schema.items !== undefined;

/** Of the member, else of the shape that it refers to. */
function descriptionOf(schema: Schema, schemas: Schemas): string {
  return schema.description ?? resolve(schema, schemas).description ?? '';
}

function valuesOf(schema: Schema, schemas: Schemas): readonly unknown[] {
  const { items, ...own } = resolve(schema, schemas);
  const values = own.enum ?? own['x-extensible-enum'];
  if (values !== undefined) return values.filter((value) => value !== null);
  return items === undefined ? [] : valuesOf(items, schemas);
}

/** The bounds in words: `1 to 300 characters`, `at most 100 items`, `default 20`. */
function boundsOf(schema: Schema): string {
  const said = [
    range(schema.minLength, schema.maxLength, 'character'),
    range(schema.minItems, schema.maxItems, 'item'),
    range(schema.minimum, schema.maximum, ''),
    schema.default === undefined ? '' : `default ${written(schema.default)}`,
  ].filter((part) => part !== '');
  return said.length === 0 ? '' : `${said.join('; ')}.`.replace(/^./, (first) => first.toUpperCase());
}

const written = (value: unknown): string =>
  Array.isArray(value)
    ? value.map(written).join(', ')
    : typeof value === 'string'
      ? value
      : JSON.stringify(value);

function range(least: number | undefined, most: number | undefined, unit: string): string {
  const units = (count: number): string => (unit === '' ? '' : ` ${unit}${count === 1 ? '' : 's'}`);
  const [low, high] = [least?.toLocaleString('en'), most?.toLocaleString('en')];
  if (least !== undefined && most !== undefined)
    return least === most ? `exactly ${low}${units(most)}` : `${low} to ${high}${units(most)}`;
  if (most !== undefined) return `at most ${high}${units(most)}`;
  return least === undefined ? '' : `at least ${low}${units(least)}`;
}

/** The name of a shape, for a sentence. */
export const shapeName = (schema: Schema): string | null =>
  schema.$ref === undefined ? null : nameOf(schema.$ref);
