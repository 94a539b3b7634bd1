import { groups } from '../../api/framework/groups.ts';
import { openApiDocument } from '../../api/openapi.ts';
import { operations } from '../../api/operations.ts';
import { errorStatus } from '../../domain/kernel/errors.ts';

type Json = Record<string, any>;

const document = openApiDocument(operations, '/v1') as Json;
const items: Json[] = Object.values(document['paths'] as Json).flatMap((path: Json) => Object.values(path));
const follow = (reference: string): Json =>
  reference
    .slice(2)
    .split('/')
    .reduce<any>((node, part) => node[part], document);
const whole = (node: Json): Json => (node['$ref'] === undefined ? node : follow(node['$ref']));

/** All schemas that can be reached from one, itself included. */
function reached(schema: Json, found = new Set<Json>()): Set<Json> {
  const node = whole(schema);
  if (found.has(node)) return found;
  found.add(node);
  const inner = [
    ...Object.values(node['properties'] ?? {}),
    ...['items', 'additionalProperties'].map((name) => node[name]),
    ...['anyOf', 'oneOf', 'allOf'].flatMap((name) => node[name] ?? []),
  ];
  for (const one of inner) if (typeof one === 'object' && one !== null) reached(one as Json, found);
  return found;
}

const schemasIn = (contents: readonly (Json | undefined)[]): Set<Json> => {
  const found = new Set<Json>();
  for (const content of contents) {
    const schema = content?.['application/json']?.schema;
    if (schema !== undefined) reached(schema, found);
  }
  return found;
};
const answered = schemasIn(
  items.flatMap((item) =>
    Object.values(item['responses'] as Json).map((response) => whole(response as Json)['content']),
  ),
);
const asked = schemasIn(items.map((item) => item['requestBody']?.content));
const parameters: Json[] = items.flatMap((item) => item['parameters']);

test('answers may gain members and values: no schema of an answer is closed, and open enumerations say so', () => {
  expect(answered.size).toBeGreaterThan(150);
  let enumerations = 0;
  for (const schema of answered) {
    expect(schema['additionalProperties']).not.toBe(false);
    expect(schema).not.toHaveProperty('enum');
    if (schema['x-extensible-enum'] === undefined) continue;
    enumerations += 1;
    expect(schema['description']).toMatch(/open enumeration/);
  }
  expect(enumerations).toBeGreaterThan(10);
});

test('bodies are closed: the service refuses unknown members', () => {
  for (const schema of asked) {
    if (schema['properties'] !== undefined) expect(schema['additionalProperties']).toBe(false);
  }
});

test('schemas hold nothing that says nothing', () => {
  for (const schema of [...answered, ...asked, ...parameters.map((parameter) => parameter['schema'])]) {
    expect(Math.abs(schema['maximum'] ?? 0)).toBeLessThan(Number.MAX_SAFE_INTEGER);
    expect(Math.abs(schema['minimum'] ?? 0)).toBeLessThan(Number.MAX_SAFE_INTEGER);
    expect((schema['pattern'] ?? '').length).toBeLessThan(50);
    if (['uuid', 'date-time', 'email'].includes(schema['format']))
      expect(schema).not.toHaveProperty('pattern');
    if (schema['anyOf'] === undefined) continue;
    // Only a reference needs anyOf to be nullable.
    expect(schema['anyOf']).toEqual([{ $ref: expect.any(String) }, { type: 'null' }]);
  }
});

test('each parameter has a description', () => {
  for (const item of items) {
    for (const { name, description = '' } of item['parameters'] as Json[])
      expect([item['operationId'], name, description]).toEqual([
        item['operationId'],
        name,
        expect.stringMatching(/^[A-Z0-9].{8,}\.$|^Inclusive\.$|^Exclusive\.$/s),
      ]);
  }
});

test('times have the format date-time, ids the format uuid', () => {
  for (const schema of answered) {
    for (const [name, member] of Object.entries((schema['properties'] ?? {}) as Json)) {
      if (name.endsWith('_at')) expect([name, member.format]).toEqual([name, 'date-time']);
      // The id of an invoice is Stripe's.
      if (name === 'id' && 'pdf_url' in (schema['properties'] as Json)) continue;
      if (/^id$|_id$/.test(name) && !['request_id', 'external_id', 'payment_id'].includes(name))
        expect([name, member.format]).toEqual([name, 'uuid']);
    }
  }
});

test('members of an object that have members are named, for generated clients', () => {
  for (const schema of Object.values(document['components'].schemas as Json)) {
    for (const [name, member] of Object.entries((schema.properties ?? {}) as Json)) {
      for (const one of [member, member.items ?? {}])
        expect([name, one.properties]).toEqual([name, undefined]);
    }
  }
});

test('limit is an integer from 1 on, of which more than 100 is clamped, with its default', () => {
  const limits = parameters.filter(({ name }) => name === 'limit');
  expect(limits.length).toBeGreaterThan(15);
  for (const { schema } of limits) {
    expect(schema).toEqual({ type: 'integer', minimum: 1, default: expect.any(Number) });
  }
  const ofComments = document['paths']['/comments'].get.parameters as Json[];
  expect(ofComments.find(({ name }) => name === 'limit')?.['schema'].default).toBe(50);
});

test('fields is a comma-separated list of the members', () => {
  const listed = parameters.filter(({ name }) => name === 'fields');
  expect(listed.length).toBeGreaterThan(4);
  for (const parameter of listed) {
    expect(parameter).toMatchObject({ style: 'form', explode: false, schema: { type: 'array' } });
    expect(parameter['schema'].items.enum).toEqual(expect.arrayContaining(['id', 'created_at']));
  }
});

test('an object with chosen members always has its id', () => {
  const partials = Object.entries(document['components'].schemas as Json).filter(([name]) =>
    /^Partial[A-Za-z]+(?<!Response)$/.test(name),
  );
  expect(partials.length).toBeGreaterThanOrEqual(5);
  for (const [name, schema] of partials) expect([name, schema.required]).toEqual([name, ['id']]);
});

test('each error response has its codes, which belong to its status', () => {
  const ofTransport = [408, 413, 415, 431];
  for (const item of items) {
    for (const [status, response] of Object.entries(item['responses'] as Json)) {
      if (Number(status) < 400) continue;
      const codes = whole(response as Json)['x-error-codes'] as (keyof typeof errorStatus)[];
      expect(codes.length).toBeGreaterThan(0);
      if (ofTransport.includes(Number(status))) expect(codes).toEqual(['INVALID_REQUEST']);
      else for (const code of codes) expect([code, String(errorStatus[code])]).toEqual([code, status]);
    }
  }
});

test('each response declares its headers', () => {
  for (const item of items) {
    for (const [status, response] of Object.entries(item['responses'] as Json)) {
      const names = Object.keys(whole(response as Json)['headers']);
      const always = ['Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];
      expect(names).toEqual(expect.arrayContaining(always));
      expect(names.includes('Retry-After')).toBe(['429', '503'].includes(status));
      expect(names.includes('WWW-Authenticate')).toBe(status === '401');
    }
  }
  const created = document['paths']['/articles'].post.responses['201'].headers as Json;
  expect(Object.keys(created)).toEqual(expect.arrayContaining(['ETag', 'Location', 'Idempotency-Replayed']));
  for (const header of Object.values(document['components'].headers as Json))
    expect(header).toMatchObject({ description: expect.any(String), schema: { type: expect.any(String) } });
});

test('tags stand at the top in the order of the operations, each with a description', () => {
  expect(document['tags']).toEqual(groups);
  const used = [...new Set(items.flatMap((item) => item['tags'] as string[]))];
  expect([...used].sort()).toEqual(groups.map(({ name }) => name as string).sort());
  for (const { description } of groups) expect(description.length).toBeGreaterThan(10);
});

test('a list with pages says how to go through them', () => {
  for (const item of items) {
    const paged = (item['parameters'] as Json[]).some(({ name }) => name === 'cursor');
    expect([item['operationId'], item['x-pagination']]).toEqual([
      item['operationId'],
      paged ? { parameter: 'cursor', items: 'data.items', next: 'data.next_cursor' } : undefined,
    ]);
  }
});
