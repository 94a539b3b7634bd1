import { publicFolder } from '../../../../domain/media/reservation.ts';
import { useApi } from '../../../support/api.ts';
import type { Answer } from '../../../support/api.ts';
import { buildKey, buildMember, buildTenant } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';
import { flat, noise } from '../../../support/images.ts';
import { storedKeys } from '../../../support/objects.ts';
import { registerUpload, uploadBytes } from '../../../support/uploads.ts';

const api = await useApi();
let tenant: Tenant;
let stranger: Tenant;
let jpeg: Buffer;

beforeAll(async () => {
  stranger = await buildTenant(api.db);
  jpeg = await noise(30, 20).jpeg().toBuffer();
});
beforeEach(async () => {
  tenant = await buildTenant(api.db);
});

const request = (method: string, path: string, body?: object, key = tenant.secretKey): Promise<Answer> =>
  api.request(method, path, { key, body });

// eslint-disable-next-line @typescript-eslint/no-explicit-any
async function asset(bytes: Uint8Array = jpeg, reservation: object = {}): Promise<any> {
  const id = await uploadBytes(api, tenant.secretKey, bytes, reservation);
  const answer = await registerUpload(api, tenant.secretKey, id);
  expect(answer.status).toBe(201);
  return answer.data;
}

test('the library is listed newest first, in pages, by bucket, with the requested fields', async () => {
  const ids: string[] = [];
  for (let number = 0; number < 5; number += 1)
    ids.unshift((await asset(jpeg, number === 2 ? { bucket: 'author-avatars' } : {})).id);
  const walked: string[] = [];
  for (let cursor = ''; ;) {
    const { data } = await request('GET', `/media?limit=2${cursor && `&cursor=${cursor}`}`);
    walked.push(...data.items.map((item: { id: string }) => item.id));
    if (data.next_cursor === null) break;
    cursor = data.next_cursor;
  }
  expect(walked).toEqual(ids);
  const avatars = await request('GET', '/media?bucket=author-avatars&fields=url,bucket');
  expect(avatars.data.items).toEqual([{ id: ids[2], bucket: 'author-avatars', url: expect.any(String) }]);
  const { next_cursor: cursor } = (await request('GET', '/media?limit=2')).data;
  expect((await request('GET', `/media?bucket=blog-images&cursor=${cursor}`)).status).toBe(400);
  expect((await request('GET', '/media', undefined, stranger.secretKey)).data.items).toEqual([]);
});

test('an object of another Site is answered like a missing one', async () => {
  const { id } = await asset();
  const upload = await uploadBytes(api, tenant.secretKey, jpeg);
  const [nowhere, key] = ['0197a0c4-5c1e-7d30-9b64-2f1f0d3c8a11', stranger.secretKey];
  const withoutId = ({ status, json }: Answer): object => [status, json.error];
  for (const [method, body] of [
    ['GET', undefined],
    ['PATCH', { alt_text: 'mine' }],
    ['DELETE', undefined],
  ] as const) {
    const [foreign, absent] = await Promise.all(
      [id, nowhere].map((one) => request(method, `/media/${one}`, body, key)),
    );
    expect(foreign?.status).toBe(404);
    expect(withoutId(foreign as Answer)).toEqual(withoutId(absent as Answer));
  }
  const [foreign, absent] = await Promise.all([upload, nowhere].map((one) => registerUpload(api, key, one)));
  expect(foreign?.status).toBe(404);
  expect(withoutId(foreign as Answer)).toEqual(withoutId(absent as Answer));
  expect((await registerUpload(api, tenant.secretKey, upload)).status).toBe(201);
});

test('media needs a secret key with the scope, of a person who may manage media', async () => {
  const { id } = await asset();
  const read = (await buildKey(api.db, tenant.siteId, tenant.memberId, { scopes: ['media:read'] })).secret;
  const viewer = await buildMember(api.db, tenant.organisationId, 'viewer');
  const unable = (await buildKey(api.db, tenant.siteId, viewer)).secret;
  expect((await request('GET', `/media/${id}`, undefined, read)).status).toBe(200);
  const refused = [
    await request('DELETE', `/media/${id}`, undefined, read),
    await request('GET', '/media', undefined, unable),
    await request('GET', '/media', undefined, tenant.publishableKey),
    await request('PATCH', `/media/${id}`, { alt_text: 'x' }, tenant.publishableKey),
  ];
  for (const { status, json } of refused)
    expect([status, json.error.code]).toEqual([403, 'INSUFFICIENT_SCOPE']);
});

test('10,000,000 bytes are accepted, one more is refused and deleted', async () => {
  // Data after the end of a JPEG is not part of the image, but of the file.
  const largest = Buffer.concat([jpeg, Buffer.alloc(10_000_000 - jpeg.length)]);
  expect(await asset(largest)).toMatchObject({ size_bytes: 10_000_000, width: 30 });
  const id = await uploadBytes(api, tenant.secretKey, Buffer.concat([largest, Buffer.alloc(1)]));
  const { status, json } = await registerUpload(api, tenant.secretKey, id);
  expect([status, json.error.fields]).toEqual([422, { upload_id: 'is larger than 10 MB' }]);
  expect(await storedKeys(tenant.siteId)).toHaveLength(1);
  expect((await request('GET', '/usage')).data.usage.media_bytes).toBe(10_000_000);
});

test('the type is that of the bytes, whatever was declared', async () => {
  const webp = await flat(40, 30, 4).webp().toBuffer();
  const {
    mime_type: type,
    url,
    file_name: name,
  } = await asset(webp, { file_name: 'me.png', content_type: 'image/png' });
  expect([type, name]).toEqual(['image/webp', 'me.png']);
  const served = await fetch(`${api.origin}/${new URL(url).pathname.split('/').slice(2).join('/')}`);
  expect(served.headers.get('content-type')).toBe('image/webp');
});

test('a registration retried with its key is replayed, even after the asset was changed or deleted', async () => {
  const id = await uploadBytes(api, tenant.secretKey, jpeg);
  const send = (): Promise<Answer> =>
    api.request('POST', '/media', {
      key: tenant.secretKey,
      body: { upload_id: id, alt_text: 'First' },
      idempotencyKey: 'the-one',
    });
  const first = await send();
  await request('PATCH', `/media/${id}`, { alt_text: 'Second' });
  const again = await send();
  expect([again.status, again.data, again.headers.get('etag')]).toEqual([201, first.data, 'W/"1"']);
  expect(again.headers.get('location')).toBe(first.headers.get('location'));
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  await request('DELETE', `/media/${id}`);
  expect((await send()).data).toEqual(first.data);
  expect((await request('GET', '/media')).data.items).toEqual([]);
});

test('ten concurrent registrations with one key make one asset, and none is refused for good', async () => {
  const id = await uploadBytes(api, tenant.secretKey, jpeg);
  const send = (): Promise<Answer> =>
    api.request('POST', '/media', { key: tenant.secretKey, body: { upload_id: id }, idempotencyKey: 'race' });
  const answers = await Promise.all(Array.from({ length: 10 }, send));
  for (const { status, json } of answers)
    if (status !== 201) expect([status, json.error.code]).toEqual([409, 'IDEMPOTENCY_KEY_IN_FLIGHT']);
  expect((await send()).status).toBe(201);
  expect((await request('GET', '/media')).data.items).toHaveLength(1);
  expect(await storedKeys(tenant.siteId)).toEqual([`${publicFolder(tenant.siteId)}/blog-images/${id}.jpg`]);
});

test('an asset has a new ETag only if it has changed', async () => {
  const { id } = await asset();
  const read = (tag: string): Promise<Answer> =>
    api.request('GET', `/media/${id}`, { key: tenant.secretKey, headers: { 'if-none-match': tag } });
  expect((await read('W/"1"')).status).toBe(304);
  await request('PATCH', `/media/${id}`, { alt_text: 'Changed' });
  expect((await read('W/"1"')).status).toBe(200);
  const unchanged = await request('PATCH', `/media/${id}`, { alt_text: 'Changed' });
  expect(unchanged.headers.get('etag')).toBe('W/"2"');
});

test('concurrent registration and deletion of an asset leave all of it, or nothing', async () => {
  const id = await uploadBytes(api, tenant.secretKey, jpeg);
  const [registered, deleted] = await Promise.all([
    registerUpload(api, tenant.secretKey, id),
    request('DELETE', `/media/${id}`),
  ]);
  expect(registered.status).toBe(201);
  const there = (await request('GET', `/media/${id}`)).status === 200;
  expect(there).toBe(deleted.status === 404);
  expect(await storedKeys(tenant.siteId)).toHaveLength(there ? 1 : 0);
});

test('ten concurrent deletions of an asset delete it once', async () => {
  const { id } = await asset();
  const answers = await Promise.all(Array.from({ length: 10 }, () => request('DELETE', `/media/${id}`)));
  expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 404)).toHaveLength(9);
  expect((await request('GET', '/usage')).data.usage.media_bytes).toBe(0);
});
