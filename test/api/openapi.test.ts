import { operations } from '../../api/operations.ts';
import { errorStatus } from '../../domain/kernel/errors.ts';
import { permissions } from '../../domain/access/permissions.ts';
import { rateLimits } from '../../domain/access/rate-limits.ts';
import { scopes } from '../../domain/access/scopes.ts';
import { startApi, useApi } from '../support/api.ts';

type Json = Record<string, any>;

const api = await useApi();
const document: Json = (await api.request('GET', '/openapi.json')).json;

/** What a reference stands for; anything else is itself. */
const whole = (node: Json): Json => (node['$ref'] === undefined ? node : (resolve(node['$ref']) as Json));

/** The responses of an operation with their statuses. */
const responses = (item: Json): [status: number, response: Json][] =>
  Object.entries(item['responses'] as Json).map(([status, response]) => [Number(status), whole(response)]);

/** The shape of `data` in an answer. */
const dataOf = (item: Json, status: number): Json | undefined => {
  const schema = item['responses'][status]?.content?.['application/json'].schema;
  return schema === undefined ? undefined : whole(whole(schema)['properties'].data);
};

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** Every operation of the document, with its path. */
const described = (): { name: string; path: string; method: string; item: Json }[] =>
  Object.entries(document['paths'] as Json).flatMap(([path, item]) =>
    Object.entries(item as Json).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      path,
      method,
      item: operation as Json,
    })),
  );

const walk = (node: unknown, visit: (node: Json, path: string) => void, path = '#'): void => {
  if (typeof node !== 'object' || node === null) return;
  if (!Array.isArray(node)) visit(node as Json, path);
  for (const [name, value] of Object.entries(node)) walk(value, visit, `${path}/${name}`);
};

const resolve = (reference: string): unknown =>
  reference
    .replace(/^#\//, '')
    .split('/')
    .reduce<any>((node, part) => node?.[part.replaceAll('~1', '/').replaceAll('~0', '~')], document);

test('is the same at both addresses, without a key, for a browser on any origin', async () => {
  for (const address of [`${api.origin}/openapi.json`, `${api.origin}/v1/openapi.json`]) {
    const answer = await api.request('GET', address);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.json).toEqual(document);
  }
});

test('has the frame of an OpenAPI 3.1 document', () => {
  expect(document['openapi']).toMatch(/^3\.1\.\d+$/);
  expect(document['info']).toMatchObject({ title: expect.any(String), version: expect.any(String) });
  expect(Object.keys(document).sort()).toEqual([
    'components',
    'info',
    'openapi',
    'paths',
    'servers',
    'tags',
    'webhooks',
  ]);
  expect(document['servers']).toHaveLength(1);
});

test('its paths are relative to /v1, the server’s URL', () => {
  expect(document['servers'][0].url).toMatch(/\/v1$/);
  for (const path of Object.keys(document['paths'])) expect(path).toMatch(/^\/(?!v1\b)[a-z{]/);
});

test('has the public address if one is set', async () => {
  const elsewhere = await startApi({ publicUrl: 'https://cms.example.com' }, { on: api });
  const { json } = await elsewhere.request('GET', '/openapi.json');
  await elsewhere.close();
  expect(json.servers).toEqual([{ url: 'https://cms.example.com/v1' }]);
});

test('describes exactly the operations of the service', () => {
  const wanted = operations.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`);
  expect(
    described()
      .map(({ name }) => name)
      .sort(),
  ).toEqual(wanted.sort());
});

test('every $ref resolves', () => {
  const references: string[] = [];
  walk(document, (node) => {
    if (typeof node['$ref'] === 'string') references.push(node['$ref']);
  });
  expect(references.length).toBeGreaterThan(operations.length);
  for (const reference of new Set(references)) {
    expect(reference).toMatch(/^#\/components\/(schemas|headers|responses)\/[A-Za-z0-9._-]+$/);
    expect([reference, resolve(reference)]).toEqual([reference, expect.any(Object)]);
  }
});

test('every schema is used, and none has definitions of its own', () => {
  const text = JSON.stringify(document);
  for (const name of Object.keys(document['components'].schemas))
    expect(text).toContain(`"#/components/schemas/${name}"`);
  expect(text).not.toContain('$defs');
});

test('operation ids are unique names', () => {
  const ids = described().map(({ item }) => item['operationId']);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z0-9]+$/);
});

test('each operation is complete: summary, tag, security, responses with descriptions', () => {
  for (const { method, item, name } of described()) {
    expect(methods).toContain(method);
    expect([name, item['summary'].length > 0, item['tags'].length]).toEqual([name, true, 1]);
    for (const [status, response] of responses(item)) {
      expect(String(status)).toMatch(/^[2345]\d\d$/);
      expect(response['description'].length).toBeGreaterThan(0);
      if (status >= 400)
        expect(response['content']['application/json'].schema.$ref).toBe('#/components/schemas/Error');
    }
    expect(Object.keys(item['responses']).filter((status) => status.startsWith('2'))).not.toEqual([]);
    const ofKeys = item['security'].length === 0 ? [] : ['401', '403'];
    for (const status of ['400', ...ofKeys, '429', '500', '503'])
      expect(Object.keys(item['responses'])).toContain(status);
  }
});

test('path parameters match the path and are required; no parameter is repeated', () => {
  for (const { path, item, name } of described()) {
    const parameters = item['parameters'] as Json[];
    const inPath = parameters.filter((parameter) => parameter['in'] === 'path');
    expect(inPath.map((parameter) => parameter['name'])).toEqual(
      [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter),
    );
    for (const parameter of inPath) expect(parameter['required']).toBe(true);
    const keys = parameters.map((parameter) => `${parameter['in']} ${parameter['name']}`);
    expect([name, new Set(keys).size]).toEqual([name, keys.length]);
    for (const parameter of parameters) expect(parameter['schema']).toEqual(expect.any(Object));
  }
});

test('scope, permission, rate class and publishable match the declaration', () => {
  for (const { method, path, access, keyless } of operations) {
    const item = document['paths'][path.replace(/:(\w+)/g, '{$1}')][method.toLowerCase()];
    expect(item.security).toEqual(keyless ? [] : [{ key: access.scope === null ? [] : [access.scope] }]);
    expect(item['x-permission']).toBe(access.permission ?? 'none');
    expect(item['x-rate-class']).toBe(access.rateClass);
    expect(item['x-publishable-key']).toBe(access.publishable);
    for (const scope of item.security[0]?.key ?? []) expect(scopes).toContain(scope);
    expect(['none', ...permissions]).toContain(item['x-permission']);
    expect(Object.keys(rateLimits)).toContain(item['x-rate-class']);
  }
  expect(document['components'].securitySchemes.key).toMatchObject({ type: 'http', scheme: 'bearer' });
});

test('If-None-Match and 304 are documented for each GET of one object, and for nothing else; no list has an ETag', () => {
  for (const { method, path, item } of described()) {
    const isList =
      dataOf(item, 200)?.['properties']?.items !== undefined &&
      ![
        '/comments/posts/{slug}',
        '/articles/bulk/{id}',
        '/delivery/pushes/{id}',
        '/content-plan/autopilot',
      ].includes(path);
    const isObject = method === 'get' && !isList;
    const names = (item['parameters'] as Json[]).map((parameter) => parameter['name']);
    expect([path, names.includes('If-None-Match'), item['responses']['304'] !== undefined]).toEqual([
      path,
      isObject,
      isObject,
    ]);
    if (method === 'get')
      expect([path, 'ETag' in item['responses']['200'].headers]).toEqual([path, isObject]);
  }
});

test('only the start of a device sign-in needs no key, and documents no key', () => {
  const keyless = described().filter(({ item }) => item['security'].length === 0);
  expect(keyless.map(({ name }) => name)).toEqual(['POST /auth/device', 'POST /auth/device/token']);
  for (const { item } of keyless) {
    expect(Object.keys(item['responses'])).not.toContain('401');
    expect(Object.keys(item['responses'])).not.toContain('403');
  }
});

test('the error schema has every code', () => {
  const { code } = document['components'].schemas.ErrorDetail.properties;
  expect(code['x-extensible-enum']).toEqual(Object.keys(errorStatus));
});

test('a body is declared if it is accepted, and unknown members are refused', () => {
  for (const { item } of described()) {
    const schema = item['requestBody']?.content['application/json'].schema;
    if (schema === undefined) continue;
    const shape = whole(schema);
    expect(shape).toMatchObject({ type: 'object', additionalProperties: false });
    for (const required of shape['required'] ?? [])
      expect(Object.keys(shape['properties'])).toContain(required);
  }
});

// docs/spec/service-api.md, Operation index.
const index = `
GET /ping none none read yes
GET /site meta:read none read yes
GET /content-types meta:read none read yes
GET /content-types/{id} meta:read none read no
POST /content-types prompts:write prompts.manage write no
PATCH /content-types/{id} prompts:write prompts.manage write no
GET /usage meta:read none read no
GET /articles articles:read articles.read read yes
POST /articles articles:write articles.write write no
GET /articles/{id} articles:read articles.read read yes
PATCH /articles/{id} articles:write articles.write write no
DELETE /articles/{id} articles:write articles.write write no
POST /articles/{id}/publish articles:write articles.write write no
GET /categories taxonomy:read taxonomy.read read yes
POST /categories taxonomy:write taxonomy.manage write no
GET /categories/{id} taxonomy:read taxonomy.read read yes
PATCH /categories/{id} taxonomy:write taxonomy.manage write no
DELETE /categories/{id} taxonomy:write taxonomy.manage write no
GET /media media:read media.manage read no
POST /media/upload-url media:write media.manage upload no
POST /media media:write media.manage write no
GET /media/{id} media:read media.manage read no
PATCH /media/{id} media:write media.manage write no
DELETE /media/{id} media:write media.manage write no
GET /keys keys:read api_keys.manage read no
POST /keys keys:write api_keys.manage write no
POST /keys/{id}/rotate keys:write api_keys.manage write no
DELETE /keys/{id} keys:write api_keys.manage write no
GET /comments/posts/{slug} articles:read none read yes
GET /comments comments:read comments.moderate read no
POST /comments engagement:write articles.write write no
GET /comments/settings comments:read comments.moderate read no
PATCH /comments/settings comments:write comments.moderate write no
POST /comments/erase comments:write comments.moderate write no
GET /pipeline/prompts prompts:write prompts.manage read no
PATCH /pipeline/prompts/{stage} prompts:write prompts.manage write no
DELETE /pipeline/prompts/{stage} prompts:write prompts.manage write no`
  .trim()
  .split('\n')
  .map((line) => line.split(' '));

test('operations of the specification’s index are declared as specified', () => {
  const rows = described().map(({ method, path, item }) => [
    method.toUpperCase(),
    path,
    item['security'][0]?.key[0] ?? 'none',
    item['x-permission'],
    item['x-rate-class'],
    item['x-publishable-key'] ? 'yes' : 'no',
  ]);
  const specified = rows.filter(([method, path]) =>
    index.some((row) => row[0] === method && row[1] === path),
  );
  expect(specified).toHaveLength(index.length);
  for (const row of specified) expect(index).toContainEqual(row);
});

test('Idempotency-Key is required exactly for the operations that the specification lists', () => {
  const listed = [
    '/articles',
    '/categories',
    '/keys',
    '/keys/{id}/rotate',
    '/media',
    '/media/upload-url',
    '/content-types',
  ];
  for (const { name, method, path, item } of described()) {
    const header = (item['parameters'] as Json[]).find(
      (parameter) => parameter['name'] === 'Idempotency-Key',
    );
    const required = method === 'post' && listed.includes(path);
    expect([name, header?.['required'] ?? false]).toEqual([name, required]);
    if (method !== 'post') expect(header).toBeUndefined();
  }
});

describe('an operation that needs approval when an agent calls it', () => {
  const gated = () => described().filter(({ item }) => item['x-approval-gated'] === true);
  const byName = (name: string) => described().find((one) => one.name === name)?.item as Json;

  test('has the header, the 202 and the codes, and no other operation does', () => {
    expect(gated().length).toBe(operations.filter(({ approval }) => approval).length);
    for (const { name, item } of described()) {
      const header = item['parameters'].find((parameter: Json) => parameter['name'] === 'Service-Approval');
      const codes = JSON.stringify(item['responses']).includes('APPROVAL_INVALID');
      const shape = JSON.stringify([item['responses']['202'], dataOf(item, 202)]).includes('approval');
      const is = item['x-approval-gated'] === true;
      expect([name, header !== undefined, codes, shape]).toEqual([name, is, is, is]);
      if (is) expect(header).toMatchObject({ in: 'header', required: false });
    }
    expect(byName('DELETE /articles/{id}')['responses']['403'].description).toContain('APPROVAL_DENIED');
  });

  test('a run’s 202 is either the run or the approval', () => {
    const references = dataOf(byName('POST /pipeline/runs'), 202)?.['oneOf'].map((one: Json) => one['$ref']);
    expect(references).toEqual([
      '#/components/schemas/PipelineRun',
      '#/components/schemas/ApprovalRequested',
    ]);
    // Only one of the two requires `approval`, so that a client can tell them apart.
    const required = references.map((reference: string) => whole({ $ref: reference })['required']);
    expect(required).toEqual([expect.not.arrayContaining(['approval']), ['approval']]);
  });
});
