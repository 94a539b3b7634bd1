import { sdkNameOf } from '../../framework/openapi/sdk-names.ts';
import type { CodeExample } from './code.ts';
import { nameOf } from '../../framework/openapi/json-schema.ts';
import type { Schema } from '../../framework/openapi/json-schema.ts';
import { resolve } from './described.ts';
import type { Described, DescribedOperation } from './described.ts';

/** The variable that examples take the key from. */
const KEY = 'PRESSWORK_KEY';

/** The request of an operation with its example, in each language. */
export const requestExamples = (operation: DescribedOperation, described: Described): CodeExample[] => [
  { label: 'curl', language: 'sh', code: curlExample(operation, described) },
  { label: 'SDK', language: 'ts', code: sdkExample(operation, described) },
];

function curlExample(operation: DescribedOperation, described: Described): string {
  const { method, path, keyless, body, parameters } = operation;
  const values = pathValues(operation, described);
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(values.get(name) ?? ''),
  );
  const takesKey = parameters.some(({ name }) => name === 'Idempotency-Key');
  const parts = [
    method === 'GET'
      ? `curl "${described.baseUrl}${filled}"`
      : `curl -X ${method} "${described.baseUrl}${filled}"`,
    ...(keyless ? [] : [`-H "Authorization: Bearer $${KEY}"`]),
    ...(takesKey ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
    ...(body === null ? [] : [`-H "Content-Type: application/json"`, `-d '${inQuotes(body.example)}'`]),
  ];
  return parts.join(' \\\n  ');
}

const inQuotes = (body: unknown): string =>
  JSON.stringify(body, null, 2)
    .replaceAll("'", String.raw`'\''`)
    .replaceAll('\n', '\n  ');

function sdkExample(operation: DescribedOperation, described: Described): string {
  const { id, path, keyless, body } = operation;
  const { resource, name } = sdkNameOf(id, path);
  const values = [...pathValues(operation, described).values()].map((value) => literal(value));
  const args = [...values, ...(body === null ? [] : [literal(body.example)])].join(', ');
  const call = `presswork.${resource === undefined ? '' : `${resource}.`}${name}(${args})`;
  const key = keyless ? '' : `\n  apiKey: process.env.${KEY},`;
  return `import { Presswork } from '@presswork/sdk';

const presswork = new Presswork({${key}
  baseUrl: '${described.baseUrl}',
});

${statement(call, operation, described)}`;
}

/** What an example does with the answer depends on its shape. */
function statement(call: string, { id, answers }: DescribedOperation, { schemas }: Described): string {
  const [schema] = answers.flatMap(({ data }) => (data === null || isApproval(data) ? [] : [data]));
  if (schema === undefined) return `await ${call};`;
  const shown = schema.oneOf?.[0] ?? schema;
  const items = resolve(shown, schemas).properties?.['items']?.items;
  if (id.startsWith('list') && items?.$ref !== undefined) {
    const item = variable(items.$ref);
    const hasId = resolve(items, schemas).properties?.['id'] !== undefined;
    return `for await (const ${item} of ${call}) {\n  console.log(${item}${hasId ? '.id' : ''});\n}`;
  }
  return `const ${shown.$ref === undefined ? 'result' : variable(shown.$ref)} = await ${call};`;
}

/** The SDK throws a request for an approval, so it is not among the results. */
const isApproval = ({ $ref = '' }: Schema): boolean => nameOf($ref) === 'ApprovalRequested';

/** `PartialArticle` and `ReadArticle` are `article`. */
const variable = (reference: string): string =>
  nameOf(reference)
    .replace(/^(?:Partial|Public|Read)/, '')
    .replace(/WithSecret$/, '')
    .replace(/^./, (first) => first.toLowerCase());

/** The example of each path parameter: the id or number of the object that other examples show. */
function pathValues(
  operation: DescribedOperation,
  { operations }: Described,
): ReadonlyMap<string, string | number> {
  const { path, parameters, answers } = operation;
  const values = new Map<string, string | number>();
  for (const { name, in: place, schema } of parameters) {
    if (place !== 'path') continue;
    const end = path.indexOf(`{${name}}`);
    const list = operations.find((other) => other.method === 'GET' && other.path === path.slice(0, end - 1));
    const one = operations.find(
      (other) => other.method === 'GET' && other.path === path.slice(0, end) + `{${name}}`,
    );
    const shown = [one, list].flatMap((other) => (other === undefined ? [] : other.answers)).concat(answers);
    const isNumber = schema.type === 'integer';
    const [member] = shown.flatMap(({ example }) => memberIn(example, isNumber ? name : 'id') ?? []);
    const named = schema.enum?.find((value) => typeof value === 'string');
    const number = isNumber ? Number(member) : undefined;
    values.set(name, named ?? number ?? (schema.format === 'uuid' ? String(member) : 'how-to-brew-tea'));
  }
  return values;
}

/** A member of the object that an example shows, or of the first of its list. */
function memberIn(example: unknown, name: string): string | number | undefined {
  type Shown = Readonly<Record<string, string | number>>;
  const { data } = (example ?? {}) as { data?: Shown & { readonly items?: readonly Shown[] } };
  return data?.[name] ?? data?.items?.[0]?.[name];
}

const WIDTH = 72;

/** A value as TypeScript. */
function literal(value: unknown, indent = ''): string {
  if (typeof value === 'string')
    return `'${JSON.stringify(value)
      .slice(1, -1)
      .replaceAll(String.raw`\"`, '"')
      .replaceAll("'", String.raw`\'`)}'`;
  if (typeof value !== 'object' || value === null) return String(value);
  const inner = `${indent}  `;
  const members = Array.isArray(value)
    ? value.map((item) => literal(item, inner))
    : Object.entries(value).map(([name, member]) => `${name}: ${literal(member, inner)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const space = Array.isArray(value) ? '' : ' ';
  const line = `${open}${space}${members.join(', ')}${space}${close}`;
  if (members.length === 0) return open + close;
  if (indent !== '' && line.length + indent.length < WIDTH && !line.includes('\n')) return line;
  return `${open}\n${members.map((member) => `${inner}${member},\n`).join('')}${indent}${close}`;
}
