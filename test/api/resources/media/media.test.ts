import { publicFolder } from '../../../../domain/media/reservation.ts';
import { createTestObjects } from '../../../support/objects.ts';
import { noise } from '../../../support/images.ts';
import { useApi } from '../../../support/api.ts';
import type { Answer } from '../../../support/api.ts';
import { buildTenant } from '../../../support/builders.ts';

const api = await useApi();
const tenant = await buildTenant(api.db);

const reserve = (body: object = {}, idempotencyKey: string | true = true): Promise<Answer> =>
  api.request('POST', '/media/upload-url', {
    key: tenant.secretKey,
    body: { file_name: 'photo.jpg', content_type: 'image/jpeg', ...body },
    idempotencyKey,
  });

async function put(reservation: Answer, bytes: Uint8Array): Promise<number> {
  const headers = { 'content-type': reservation.data.headers['Content-Type'] };
  return (
    await fetch(reservation.data.upload_url, {
      method: 'PUT',
      body: bytes as Uint8Array<ArrayBuffer>,
      headers,
    })
  ).status;
}

const register = (uploadId: string, body: object = {}): Promise<Answer> =>
  api.request('POST', '/media', {
    key: tenant.secretKey,
    body: { upload_id: uploadId, ...body },
    idempotencyKey: true,
  });

async function upload(bytes: Uint8Array): Promise<Answer> {
  const reservation = await reserve();
  expect(await put(reservation, bytes)).toBe(200);
  return register(reservation.data.upload_id);
}

const objectsLeft = async (uploadId: string): Promise<boolean> =>
  (await createTestObjects().read(`uploads/${tenant.siteId}/${uploadId}`, 10)) !== null;

test.each(['jpeg', 'png', 'webp', 'gif', 'avif'] as const)(
  'a %s is registered with the type of its bytes',
  async (format) => {
    const answer = await upload(await noise(60, 40).toFormat(format).toBuffer());
    expect(answer.status).toBe(201);
    expect(answer.data).toMatchObject({
      mime_type: `image/${format}`,
      width: 60,
      height: 40,
      bucket: 'blog-images',
    });
    expect(answer.headers.get('location')).toMatch(new RegExp(`/v1/media/${answer.data.id}$`));
  },
);

test('width and height are as displayed', async () => {
  const turned = await noise(60, 40).jpeg().withMetadata({ orientation: 6 }).toBuffer();
  expect((await upload(turned)).data).toMatchObject({ width: 40, height: 60 });
});

const hostile: readonly (readonly [string, () => Promise<Uint8Array>])[] = [
  ['renamed text', async () => Buffer.from('hello, I am a picture')],
  ['an SVG', async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>')],
  ['HTML', async () => Buffer.from('<!doctype html><script>alert(1)</script>')],
  ['a PDF', async () => Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>')],
  ['nothing at all', async () => new Uint8Array(0)],
  ['a truncated JPEG', async () => (await noise(300, 200).jpeg().toBuffer()).subarray(0, -800)],
  ['a truncated PNG', async () => (await noise(300, 200).png().toBuffer()).subarray(0, -800)],
  ['a huge IHDR', async () => hugePng()],
  ['a side of 16,385 pixels', async () => noise(16_385, 2).png().toBuffer()],
  [
    'a TIFF',
    async () =>
      noise(20, 20)
        .tiff()
        .toBuffer()
        .catch(() => Buffer.from('II*\0')),
  ],
];

test.each(hostile)(
  '%s is refused on upload_id and deleted, and its reservation is used up',
  async (_name, make) => {
    const reservation = await reserve();
    expect(await put(reservation, await make())).toBe(200);
    const refused = await register(reservation.data.upload_id);
    expect([refused.status, Object.keys(refused.json.error.fields)]).toEqual([422, ['upload_id']]);
    expect(await objectsLeft(reservation.data.upload_id)).toBe(false);
    expect((await register(reservation.data.upload_id)).json.error.code).toBe('CONFLICT');
  },
);

/** A header that claims 60,000 by 60,000 pixels over a few bytes. */
async function hugePng(): Promise<Uint8Array> {
  const bytes = Buffer.from(await noise(4, 4).png().toBuffer());
  bytes.writeUInt32BE(60_000, 16);
  bytes.writeUInt32BE(60_000, 20);
  return bytes;
}

test('storage refuses a length or type other than declared', async () => {
  const bytes = await noise(30, 30).jpeg().toBuffer();
  const declared = await reserve({ size_bytes: bytes.length + 1 });
  expect(await put(declared, bytes)).toBe(403);
  const typed = await reserve();
  const headers = { 'content-type': 'text/html' };
  const response = await fetch(typed.data.upload_url, {
    method: 'PUT',
    body: bytes as Uint8Array<ArrayBuffer>,
    headers,
  });
  expect(response.status).toBe(403);
});

test('ten registrations of one upload make one asset', async () => {
  const reservation = await reserve();
  await put(reservation, await noise(30, 30).jpeg().toBuffer());
  const answers = await Promise.all(Array.from({ length: 10 }, () => register(reservation.data.upload_id)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([
    201,
    ...Array.from({ length: 9 }, () => 409),
  ]);
});

test('an upload becomes public with its registration, unchanged and with its actual type', async () => {
  const bytes = await noise(30, 30).png().toBuffer();
  const reservation = await reserve();
  await put(reservation, bytes);
  expect((await fetch(reservation.data.upload_url.split('?')[0])).status).toBe(403);
  const asset = await register(reservation.data.upload_id);
  const stored = await createTestObjects().read(
    `${publicFolder(tenant.siteId)}/blog-images/${asset.data.id}.png`,
    1_000_000,
  );
  expect(stored?.bytes.equals(bytes)).toBe(true);
  const served = await fetch(`${api.origin}/${publicFolder(tenant.siteId)}/blog-images/${asset.data.id}.png`);
  expect(Buffer.from(await served.arrayBuffer()).equals(bytes)).toBe(true);
  expect([served.headers.get('content-type'), served.headers.get('x-content-type-options')]).toEqual([
    'image/png',
    'nosniff',
  ]);
  expect(await objectsLeft(reservation.data.upload_id)).toBe(false);
});

test('a replay gives the same reservation without its URL', async () => {
  const first = await reserve({}, 'one-upload');
  const again = await reserve({}, 'one-upload');
  expect(again.data).toEqual({ ...first.data, upload_url: null, upload_url_replayable: false });
  expect(again.headers.get('idempotency-replayed')).toBe('true');
});

test('nothing uploaded is 409, an unknown upload 404, an expired one 404', async () => {
  const reservation = await reserve();
  expect((await register(reservation.data.upload_id)).status).toBe(409);
  expect((await register('0197a0c4-5c1e-7d30-9b64-2f1f0d3c8a11')).status).toBe(404);
  await api.db.pool.query(
    "update upload_reservations set expires_at = now() - interval '1 second' where id = $1",
    [reservation.data.upload_id],
  );
  expect((await register(reservation.data.upload_id)).status).toBe(404);
});

test.each([
  ['../../etc/passwd', 'passwd'],
  ['C:\\pictures\\Mëin Bild.png', 'MëinBild.png'],
  ['a_b-c.1.日本.webp', 'a_b-c.1.日本.webp'],
  ['.hidden', '.hidden'],
  ['a'.repeat(300), 'a'.repeat(200)],
  ['𝒜'.repeat(201), '𝒜'.repeat(200)],
  // Some characters remain.
  ['_', '_'],
  ['-', '-'],
  ['__', '__'],
  ['_-', '_-'],
  ['a/_', '_'],
  ['-.', '-.'],
  // No characters remain.
  ['???', 'file'],
  ['', 'file'],
  ['a/', 'file'],
  ['.', 'file'],
  ['..', 'file'],
  ['...', 'file'],
  ['../..', 'file'],
  ['..\\..\\', 'file'],
  ['.%.', 'file'],
  // Traversal sequences, also those that appear when other characters are removed.
  ['..a', 'a'],
  ['a..', 'a'],
  ['a..png', 'a.png'],
  ['..hidden..png', 'hidden.png'],
  ['....//photo.png', 'photo.png'],
  ['.?.a.?.png', 'a.png'],
  ['%2e%2e/..%2fx', '2fx'],
  ['..%2f..%2fpasswd', '2f.2fpasswd'],
])('the file name %j is kept as %j', async (name, kept) => {
  const reservation = await reserve({ file_name: name });
  await put(reservation, await noise(8, 8).jpeg().toBuffer());
  expect((await register(reservation.data.upload_id)).data.file_name).toBe(kept);
});

test.each([
  ['x'.repeat(900_000), 'x'.repeat(200)],
  [`${'a/'.repeat(400_000)}b.png`, 'b.png'],
  [`${'.'.repeat(900_000)}b.png`, 'b.png'],
])('a long file name is shortened, not refused', async (name, kept) => {
  const reservation = await reserve({ file_name: name });
  expect(reservation.status).toBe(201);
  const { rows } = await api.db.pool.query('select file_name from upload_reservations where id = $1', [
    reservation.data.upload_id,
  ]);
  expect(rows).toEqual([{ file_name: kept }]);
});

test('alt_text is the only editable member, with If-Match', async () => {
  const { data } = await upload(await noise(8, 8).jpeg().toBuffer());
  const patch = (body: object, version: number): Promise<Answer> =>
    api.request('PATCH', `/media/${data.id}`, {
      key: tenant.secretKey,
      body,
      headers: { 'if-match': `W/"${version}"` },
    });
  expect((await patch({ alt_text: 'A bridge' }, 1)).headers.get('etag')).toBe('W/"2"');
  expect((await patch({ alt_text: 'Another' }, 1)).status).toBe(412);
  expect((await patch({ file_name: 'x' }, 2)).status).toBe(422);
});

test('deleting removes row and bytes', async () => {
  const { data } = await upload(await noise(8, 8).jpeg().toBuffer());
  const remove = (id: string, through = api): Promise<Answer> =>
    through.request('DELETE', `/media/${id}`, { key: tenant.secretKey });
  expect((await remove(data.id)).status).toBe(204);
  expect(
    await createTestObjects().read(`${publicFolder(tenant.siteId)}/blog-images/${data.id}.jpg`, 10),
  ).toBeNull();
  expect((await remove(data.id)).status).toBe(404);
});

test('an older image, stored under the id of its Site, is served and deleted', async () => {
  const bytes = await noise(8, 8).jpeg().toBuffer();
  const { data } = await upload(bytes);
  const objects = createTestObjects();
  const key = `${publicFolder(tenant.siteId)}/blog-images/${data.id}.jpg`;
  const old = `public/${tenant.siteId}/blog-images/${data.id}.jpg`;
  const stored = await objects.read(key, 1_000_000);
  expect(await objects.publish(key, stored?.etag as string, old, 'image/jpeg')).toBe(true);
  await objects.remove(key);
  await api.db.pool.query('update media_assets set object_key = $2 where id = $1', [data.id, old]);
  const asset = await api.request('GET', `/media/${data.id}`, { key: tenant.secretKey });
  expect(asset.data.url.endsWith(`/${old}`)).toBe(true);
  const served = await fetch(`${api.origin}/${old}`);
  expect(Buffer.from(await served.arrayBuffer()).equals(bytes)).toBe(true);
  expect((await fetch(`${api.origin}/${key}`)).status).toBe(404);
  await api.request('DELETE', `/media/${data.id}`, { key: tenant.secretKey });
  expect(await objects.read(old, 10)).toBeNull();
  expect((await fetch(`${api.origin}/${old}`)).status).toBe(404);
});
