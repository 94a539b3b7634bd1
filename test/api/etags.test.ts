import { answersObject } from '../../api/framework/answers.ts';
import { operations } from '../../api/operations.ts';
import { useApi } from '../support/api.ts';
import type { Answer } from '../support/api.ts';
import { buildArticle, buildTenant } from '../support/builders.ts';
import { connectionWrite } from '../support/connection-write.ts';
import { sendRaw } from './raw-http.ts';

const api = await useApi();
const tenant = await buildTenant(api.db);

const get = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
  api.request('GET', path, { key: tenant.secretKey, headers });

/** Reads it twice, the second time with the ETag of the first, which is 304. @returns the ETag */
async function tagOf(path: string): Promise<string> {
  const answer = await get(path);
  const etag = answer.headers.get('etag') ?? '';
  expect([path, answer.status, etag]).toEqual([path, 200, expect.stringMatching(/^W\/"[\w-]+"$/)]);
  const again = await get(path, { 'if-none-match': `"other", ${etag}` });
  expect([path, again.status, again.text, again.headers.get('etag')]).toEqual([path, 304, '', etag]);
  expect((await get(path, { 'if-none-match': '"other"' })).status).toBe(200);
  return etag;
}

const reads = operations.filter(({ method, path }) => method === 'GET' && !path.includes(':'));

test.each(reads.filter(answersObject).map(({ path }) => path))('GET %s has an ETag, and answers 304', tagOf);

test.each(reads.filter((read) => !answersObject(read)).map(({ path }) => path))(
  'GET %s is a list: it has no ETag, and is never 304',
  async (path) => {
    const answer = await get(path, { 'if-none-match': '*' });
    expect([answer.status, answer.headers.get('etag')]).toEqual([200, null]);
  },
);

test('a tag to which a proxy appended its compression is the tag', async () => {
  const { id } = await buildArticle(api, tenant.secretKey, { title: 'T' });
  const path = `/articles/${id}`;
  for (const tag of ['W/"1-gzip"', '"1-br"', '"x", "1-zstd"'])
    expect((await get(path, { 'if-none-match': tag })).status).toBe(304);
  const change = (tag: string): Promise<Answer> =>
    api.request('PATCH', path, {
      key: tenant.secretKey,
      headers: { 'if-match': tag },
      body: { excerpt: tag },
    });
  expect((await change('W/"1-gzip"')).status).toBe(200);
  for (const tag of ['W/"1-gzip"', '"2-other"', '"-gzip"']) expect((await change(tag)).status).toBe(412);
});

test('the ETag of settings changes with them', async () => {
  const before = await tagOf('/comments/settings');
  await api.request('PATCH', '/comments/settings', { key: tenant.secretKey, body: { enabled: true } });
  expect(await tagOf('/comments/settings')).not.toBe(before);
});

test('the ETag of an event changes when personal data in it is redacted', async () => {
  const { id } = await buildArticle(api, tenant.secretKey, { title: 'T', content: 'C' });
  await api.request('POST', `/articles/${id}/publish`, { key: tenant.secretKey });
  const [event] = (await get('/events')).data.items;
  const before = await tagOf(`/events/${event.id}`);
  await api.db.pool.query(`update events set body = replace(body, '"T"', 'null') where id = $1`, [event.id]);
  expect(await tagOf(`/events/${event.id}`)).not.toBe(before);
});

test('the ETag of a connection changes with its error, and either tag allows a change', async () => {
  const { data } = await api.request('POST', '/delivery/connections', {
    key: tenant.secretKey,
    body: connectionWrite,
  });
  const path = `/delivery/connections/${data.id}`;
  const before = await tagOf(path);
  await api.db.pool.query(`update cms_connections set last_error = 'It answered 500.' where id = $1`, [
    data.id,
  ]);
  const after = await tagOf(path);
  expect(after).not.toBe(before);
  const change = async (name: string, etag: string): Promise<number> =>
    (
      await api.request('PATCH', path, {
        key: tenant.secretKey,
        body: { name },
        headers: { 'if-match': etag },
      })
    ).status;
  expect([await change('One', after), await change('Two', before)]).toEqual([200, 412]);
});

test('the ETag of a run changes with its state', async () => {
  const { data } = await api.request('POST', '/pipeline/runs', {
    key: tenant.secretKey,
    body: { topics: [{ title: 'Three good words' }] },
  });
  const before = await tagOf(`/pipeline/runs/${data.id}`);
  await api.request('POST', `/pipeline/runs/${data.id}/cancel`, { key: tenant.secretKey });
  expect(await tagOf(`/pipeline/runs/${data.id}`)).not.toBe(before);
});

const create = (path: string, body: object, idempotencyKey: string): Promise<Answer> =>
  api.request('POST', path, { key: tenant.secretKey, body, idempotencyKey });

test('an answer with a secret must not be stored, nor its replay', async () => {
  const key = { name: 'K', kind: 'secret', scopes: ['articles:read'] };
  const created = await create('/keys', key, 'key');
  const rotated = await create(`/keys/${created.data.id}/rotate`, {}, 'rotate');
  const hook = { url: 'https://example.com/', events: ['article.published'] };
  const made = await create('/webhooks', hook, 'hook');
  const secret = await create(`/webhooks/${made.data.id}/rotate-secret`, {}, 'secret');
  const upload = { file_name: 'a.png', content_type: 'image/png' };
  const reserved = await create('/media/upload-url', upload, 'upload');
  const replays = [
    await create('/keys', key, 'key'),
    await create(`/keys/${created.data.id}/rotate`, {}, 'rotate'),
    await create('/webhooks', hook, 'hook'),
  ];
  for (const replay of replays) expect(replay.headers.get('idempotency-replayed')).toBe('true');
  for (const answer of [created, rotated, made, secret, reserved, ...replays])
    expect([answer.status < 300, answer.headers.get('cache-control')]).toEqual([true, 'no-store']);
  expect((await get('/keys')).headers.get('cache-control')).toBe('private, no-cache');
});

test('no part of an answer depends on a header that names a host', async () => {
  const hostile = [
    'Host: evil.example',
    'Forwarded: host=evil.example;proto=https',
    'X-Forwarded-Host: evil.example',
    'X-Forwarded-Proto: https',
    'X-Forwarded-Port: 444',
  ];
  const withKey = [
    'Content-Length: 2',
    'Content-Type: application/json',
    `Authorization: Bearer ${tenant.secretKey}`,
  ];
  const article = await sendRaw(
    api.origin,
    ['POST /v1/articles HTTP/1.1', ...hostile, ...withKey, 'Idempotency-Key: hosts'],
    '{}',
  );
  expect(article.headers.get('location')).toBe(`${api.origin}/v1/articles/${article.json.data.id}`);
  const body = '{"client_name":"x"}';
  const device = await sendRaw(
    api.origin,
    [
      'POST /v1/auth/device HTTP/1.1',
      ...hostile,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ],
    body,
  );
  expect(device.json.data.verification_uri).toBe(`${api.origin}/device`);
  const documents = await sendRaw(api.origin, ['GET /openapi.json HTTP/1.1', ...hostile]);
  expect(documents.json.servers).toEqual([{ url: `${api.origin}/v1` }]);
  const page = await sendRaw(api.origin, ['GET /device HTTP/1.1', ...hostile]);
  for (const answer of [article, device, documents, page]) {
    expect(answer.text).not.toContain('evil.example');
    expect([...answer.headers.values()].join()).not.toContain('evil.example');
  }
});
