import { Mistakes } from '../../packages/base/mistakes.ts';
import { operations } from '../../api/operations.ts';
import { parseBody } from '../../api/framework/validate-body.ts';
import type { Ports } from '../../api/framework/ports.ts';
import { ServiceError } from '../../domain/kernel/errors.ts';
import { buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { createTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import { endApis, spawnApi } from './processes.ts';
import type { ApiProcess } from './processes.ts';

const MIB = 1_048_576;

let stack: TestDatabase;
let api: ApiProcess;
let tenants: Tenant[];

beforeAll(async () => {
  stack = await createTestDatabase();
  tenants = [await buildTenant(stack.db), await buildTenant(stack.db)];
  api = await spawnApi(stack.url, undefined, ['--max-old-space-size=64']);
}, 60_000);
afterAll(async () => {
  endApis();
  await stack.drop();
});

/** As many members as fit, each with a different name. */
const members = (count: number): string =>
  Array.from({ length: count }, (_, index) => `"m${index.toString(36)}":0`).join(',');
const repeated = (item: string, count: number): string => Array(count).fill(item).join(',');
const filled = (before: string, item: string, after: string): string =>
  before + repeated(item, Math.floor((MIB - before.length - after.length) / (item.length + 1))) + after;

/** Names of 5,000 characters, 90 levels deep, around strings that cannot be stored: their paths would take 300 MB. */
const longPaths = `{"a":${`{"${'k'.repeat(5_000)}":`.repeat(90)}[${repeated('"\\u0000"', 700)}]${'}'.repeat(90)}}`;

const hostile: readonly (readonly [name: string, body: string, status: number])[] = [
  ['long paths to many bad strings', longPaths, 422],
  ['1 MiB of unknown members', `{${members(125_000)}}`.slice(0, MIB), 400],
  ['as many unknown members as a body may have', `{${members(50_000)}}`, 422],
  ['1 MiB of strings with U+0000', filled('{"a":[', '"\\u0000"', ']}'), 400],
  ['as many strings with U+0000 as a body may have', `{"a":[${repeated('"\\u0000"', 49_999)}]}`, 422],
  ['1 MiB of opening brackets', `{"a":${'['.repeat(MIB - 5)}`, 400],
  ['1 MiB of empty objects', filled('{"a":[', '{}', ']}'), 400],
  ['objects that have no member in common', filled('{"a":[', '{"abcdefg":0}', ']}'), 400],
  ['one string of 1 MiB', `{"title":"${'x'.repeat(MIB - 12)}"}`, 422],
  ['a text of two-byte characters', `{"content":"中${'x'.repeat(MIB - 20)}"}`, 422],
  ['a name of 1 MiB', `{"${'n'.repeat(MIB - 8)}":0}`, 422],
  ['a name of 1 MiB that is no text', `{"\\ud800${'n'.repeat(MIB - 20)}":0}`, 422],
  ['lone surrogates in one string', `{"title":"${'\\ud800'.repeat(170_000)}"}`, 422],
  ['lone surrogates in many names', `{${members(40_000).replaceAll('"m', '"\\ud800m')}}`, 422],
  ['lists far longer than they may be', `{"tag_ids":[${repeated('0', 49_000)}]}`, 422],
  [
    'a list of many wrong lists',
    `{"comparison":{"columns":[],"rows":[${repeated('{"label":0,"values":[0,0,0]}', 8_000)}]}}`,
    422,
  ],
  ['escapes without end', `{"title":"${'\\"'.repeat(520_000)}`, 400],
];

const send = (index: number, body: string): Promise<Response> => {
  const key = tenants[index % 3]?.secretKey;
  const path = key === undefined ? '/v1/auth/device' : '/v1/articles';
  return fetch(api.origin + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(key === undefined ? {} : { authorization: `Bearer ${key}`, 'idempotency-key': String(index) }),
    },
    body,
  });
};

test('a process with 64 MB of heap refuses 200 concurrent hostile bodies, each with a small answer, and keeps working', async () => {
  const requests = Array.from({ length: 200 }, (_, index) => {
    const [name, body, status] = hostile[index % hostile.length] as (typeof hostile)[number];
    return { index, name, body, status };
  });
  // Without a key, 60 a minute are parsed.
  const expected = ({ index, status }: (typeof requests)[number]) =>
    index % 3 === 2 ? [status, 429] : [status];
  await Promise.all(
    requests.map(async (request) => {
      const answer = await send(request.index, request.body);
      const text = await answer.text();
      expect([request.name, expected(request)]).toEqual([
        request.name,
        expect.arrayContaining([answer.status]),
      ]);
      expect(text.length).toBeLessThan(64_000);
      const { error } = JSON.parse(text);
      expect(Object.keys(error.fields ?? {}).length).toBeLessThanOrEqual(100);
    }),
  );
  expect(api.isAlive()).toBe(true);
  const pong = await fetch(`${api.origin}/v1/ping`, {
    headers: { authorization: `Bearer ${tenants[0]?.secretKey}` },
  });
  expect(pong.status).toBe(200);
});

const withBodies = operations.filter(({ method }) => method === 'POST' || method === 'PATCH');
const ports = { webhookUrls: {} } as Ports;

function mistakesOf(operation: (typeof operations)[number], body: string): readonly string[] {
  try {
    parseBody(operation, JSON.parse(body) as Record<string, unknown>, ports);
    return [];
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return Object.keys(error.fields ?? {});
  }
}

test.each(withBodies.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
  '%s names at most 100 mistakes, by paths of at most 200 characters',
  (_name, operation) => {
    expect(mistakesOf(operation, `{${members(2_000)}}`)).toHaveLength(100);
    expect(mistakesOf(operation, `{"x":[${repeated('"\\u0000"', 2_000)}]}`)).toHaveLength(100);
    for (const path of mistakesOf(operation, longPaths)) expect([...path].length).toBeLessThanOrEqual(200);
  },
);

test('a path is cut at 200 characters, and never inside a character', () => {
  const mistakes = new Mistakes();
  mistakes.add(['a', '😀'.repeat(300), 'b'], 'is long');
  mistakes.add(['n'.repeat(200)], 'is just short enough');
  mistakes.add(['x', 0, 'y'], 'is short');
  expect(mistakes.fields).toEqual({
    [`a.${'😀'.repeat(198)}`]: 'is long',
    ['n'.repeat(200)]: 'is just short enough',
    'x.0.y': 'is short',
  });
});

describe('the values of a body', () => {
  const title = (body: string): Promise<Response> =>
    fetch(`${api.origin}/v1/keys`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${tenants[1]?.secretKey}`,
        'idempotency-key': String(Math.random()),
      },
      body,
    });

  test.each([
    ['members', members(50_000), members(50_001)],
    ['items', `"a":[${repeated('0', 49_999)}]`, `"a":[${repeated('0', 50_000)}]`],
    [
      'members and items together',
      `"a":[${repeated('{"b":[1,2]}', 12_499)},0]`,
      `"a":[${repeated('{"b":[1,2]}', 12_500)}]`,
    ],
    ['empty ones', `"a":[${repeated('[ ]', 49_999)}]`, `"a":[${repeated('[ ]', 50_000)}]`],
    [
      'strings with signs in them',
      `"a":[${repeated('"[,\\"{"', 49_999)}]`,
      `"a":[${repeated('"[,\\"{"', 50_000)}]`,
    ],
  ])('50,000 are looked at, one more is 400: %s', async (_name, most, tooMany) => {
    expect((await title(`{${most}}`)).status).toBe(422);
    const refused = await title(`{${tooMany}}`);
    const { error } = (await refused.json()) as { error: { code: string; message: string } };
    expect([refused.status, error.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(error.message).toContain('50,000');
  });
});
