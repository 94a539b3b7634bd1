import { existsSync } from 'node:fs';
import { generateSecret } from '../../../../domain/access/key-secret.ts';
import { useApi } from '../../../support/api.ts';
import { buildKey, buildMember, buildTenant } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';
import { buildFile, endImports, entry, importFile, runImport } from './importer.ts';

const api = await useApi();
let tenant: Tenant;

beforeEach(async () => {
  tenant = await buildTenant(api.db);
});
afterEach(() => endImports());

const command = (path: string, key = tenant.secretKey): string[] => [
  path,
  '--base-url',
  `${api.origin}/v1`,
  '--key',
  key,
];

const count = async (table: string): Promise<number> =>
  (await api.db.pool.query(`select from ${table} where site_id = $1`, [tenant.siteId])).rowCount ?? 0;

describe('exit code 2, and nothing written', () => {
  const good = (): string =>
    buildFile(importFile({ articles: [entry({ category: 'a' })], categories: [{ slug: 'a', name: 'A' }] }));

  test.each<[string, string | Uint8Array, RegExp]>([
    ['an empty file', '', /is not JSON/],
    ['no JSON', '{"format": "service-import", oops', /is not JSON: unexpected text at character \d+/],
    ['JSON that ends early', '{"format":"service-import"', /is not JSON/],
    ['no UTF-8', new Uint8Array([0x7b, 0xff, 0x7d]), /is not UTF-8/],
    ['no object', '[]', /must be an object/],
    ['null', 'null', /must be an object/],
    [
      'another format',
      '{"format":"ghost","version":1,"articles":[]}',
      /format: must be one of service-import/,
    ],
    ['another version', '{"format":"service-import","version":2,"articles":[]}', /version: must be one of 1/],
    ['a version in quotes', '{"format":"service-import","version":"1"}', /version/],
    ['a format of its prototype', '{"__proto__":{"format":"service-import","version":1}}', /format/],
    [
      'articles that are no list',
      '{"format":"service-import","version":1,"articles":{}}',
      /articles: must be an array/,
    ],
    ['nothing but depth', '['.repeat(200_000), /is not JSON|must be an object/],
  ])('%s', async (_, content, message) => {
    const { code, out, err } = await runImport(command(buildFile(content as string)));
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(message);
  });

  test('a deep and large file with mistakes everywhere is still read', async () => {
    const deep = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`;
    const fill = `"${'x'.repeat(30_000_000)}"`;
    const text = `{"format":"service-import","version":1,"source":{},"other":${deep},"authors":[${deep}],"articles":[${deep},{"external_id":"a","status":"draft","content":${fill}}]}`;
    const { code, report } = await runImport(command(buildFile(text)));
    expect([code, report.refused.map(({ reasons }) => reasons[0]?.field)]).toEqual([
      1,
      ['external_id', 'content'],
    ]);
  });

  test('wrong usage', async () => {
    const path = good();
    const base = ['--base-url', `${api.origin}/v1`];
    const key = ['--key', tenant.secretKey];
    const wrong: [readonly string[], string][] = [
      [[...base, ...key], 'file'],
      [[path, ...base], '--key'],
      [[path, ...key], '--base-url'],
      [[path, ...key, '--base-url', 'ftp://x'], '--base-url'],
      [[path, ...base, ...key, '--concurrency', '0'], '--concurrency'],
      [[path, ...base, ...key, '--concurrency', 'many'], '--concurrency'],
      [[path, ...base, ...key, '--dryrun'], '--dryrun'],
      [[path, ...base, ...key, path], 'argument'],
      [[path, ...base, ...key, '--report', path], '--report'],
      [[path, ...base, ...key, '--report', '/nowhere/at/all.json'], '--report'],
      [['/nowhere/at/all.json', ...base, ...key], 'cannot be read (ENOENT)'],
      [['/tmp', ...base, ...key], 'cannot be read (EISDIR)'],
      [[path, ...key, '--base-url', 'http://127.0.0.1:1/v1'], 'cannot be reached'],
      [[path, ...key, '--base-url', api.origin], 'is not the API of Presswork'],
    ];
    for (const [args, message] of wrong) {
      const { code, out, err } = await runImport(args);
      expect([args, code, out]).toEqual([args, 2, '']);
      expect(err).toContain(message);
      expect(err).not.toContain(tenant.secretKey);
    }
    expect(existsSync(path)).toBe(true);
    expect(await count('articles')).toBe(0);
  });

  test('a key that is malformed, unknown, publishable, revoked, without a scope, or of a person who may not', async () => {
    const { db } = api;
    const { siteId, memberId, organisationId } = tenant;
    const revoked = await buildKey(db, siteId, memberId);
    await db.pool.query('update api_keys set revoked_at = now() where id = $1', [revoked.id]);
    const scopes = ['articles:read', 'articles:write', 'taxonomy:read'] as const;
    const bare = await buildKey(db, siteId, memberId, { scopes });
    const person = await buildMember(db, organisationId, 'editor');
    const demoted = await buildKey(db, siteId, person, { scopes: [...scopes, 'taxonomy:write'] });
    await db.pool.query(`update members set role = 'author' where id = $1`, [person]);
    const keys: [string, string][] = [
      ['nonsense', 'must be an API key'],
      [generateSecret('secret'), 'INVALID_API_KEY'],
      [tenant.publishableKey, 'publishable'],
      [revoked.secret, 'API_KEY_REVOKED'],
      [bare.secret, 'must have the scope taxonomy:write'],
      [demoted.secret, 'INSUFFICIENT_SCOPE'],
    ];
    for (const [key, message] of keys) {
      const { code, out, err } = await runImport(command(good(), key));
      expect([message, code, out]).toEqual([message, 2, '']);
      expect(err).toMatch(/^--key: /);
      expect(err).toContain(message);
      if (key.startsWith('svc_')) expect(err).not.toContain(key);
    }
    expect([await count('articles'), await count('categories')]).toEqual([0, 0]);
  });
});

test('a key for drafts imports drafts; a published entry is refused, and leaves nothing behind', async () => {
  const { secret } = await buildKey(api.db, tenant.siteId, tenant.memberId, { draftsOnly: true });
  const tags = [
    { slug: 'kept', name: 'Kept' },
    { slug: 'gone', name: 'Gone' },
  ];
  const articles = [entry({ tags: ['gone'] }), entry({ status: 'draft', tags: ['kept'] })];
  const { code, report } = await runImport(command(buildFile(importFile({ articles, tags })), secret));
  expect([code, report.created, report.refused]).toEqual([
    1,
    1,
    [
      expect.objectContaining({
        reasons: [{ field: 'status', message: expect.stringContaining('articles.publish') }],
      }),
    ],
  ]);
  const { rows } = await api.db.pool.query('select status from articles where site_id = $1', [tenant.siteId]);
  expect(rows).toEqual([{ status: 'draft' }]);
});
