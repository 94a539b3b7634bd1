import { randomUUID } from 'node:crypto';
import { createSweepForgottenActivities } from '../../../../activities/housekeeping/sweep-forgotten.ts';
import { pino } from 'pino';
import { useApi } from '../../../support/api.ts';
import type { Answer } from '../../../support/api.ts';
import { buildKey, buildTenant } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';
import { TestClock } from '../../../support/clock.ts';
import { noise } from '../../../support/images.ts';
import { createTestObjects, storedKeys } from '../../../support/objects.ts';
import { registerUpload, uploadBytes } from '../../../support/uploads.ts';

const api = await useApi();
let tenant: Tenant;

beforeEach(async () => void (tenant = await buildTenant(api.db)));

const reserve = (key: string, sizeBytes?: number): Promise<Answer> =>
  api.request('POST', '/media/upload-url', {
    key,
    body: { file_name: 'a.jpg', content_type: 'image/jpeg', size_bytes: sizeBytes },
    idempotencyKey: true,
  });

/** As if the Site had already reserved this many bytes. */
const reserved = (count: number, sizeBytes: number | null, status = 'reserved', minutes = 60) =>
  api.db.pool.query(
    `insert into upload_reservations (id, site_id, bucket, file_name, size_bytes, status, created_at, url_expires_at, expires_at)
     select gen_random_uuid(), $1, 'blog-images', 'a.jpg', $2, $3, now(), now(), now() + $4 * interval '1 minute'
     from generate_series(1, $5)`,
    [tenant.siteId, sizeBytes, status, minutes, count],
  );

test.each([[1], [10_000_000], [null]])(
  'a Site may have 200 open reservations, and not one more, of %s bytes too',
  async (sizeBytes) => {
    await reserved(199, sizeBytes);
    expect((await reserve(tenant.secretKey, sizeBytes ?? undefined)).status).toBe(201);
    const refused = await reserve(tenant.secretKey, 1);
    expect([refused.status, refused.json.error.code]).toEqual([409, 'CONFLICT']);
    expect(refused.json.error.message).toMatch(/200 unregistered uploads.*Register.*or wait/);
    const other = await buildTenant(api.db);
    expect((await reserve(other.secretKey)).status).toBe(201);
  },
);

test('registered, rejected and expired uploads do not count', async () => {
  await reserved(200, null, 'registered');
  await reserved(200, null, 'rejected');
  await reserved(200, null, 'reserved', -1);
  await reserved(199, null);
  const bytes = await noise(30, 20).jpeg().toBuffer();
  const id = await uploadBytes(api, tenant.secretKey, bytes);
  expect((await reserve(tenant.secretKey, 1)).status).toBe(409);
  expect((await registerUpload(api, tenant.secretKey, id)).status).toBe(201);
  expect((await reserve(tenant.secretKey)).status).toBe(201);
});

test('of concurrent reservations, exactly those succeed that there is room for', async () => {
  await reserved(190, null);
  const keys = [tenant.secretKey, (await buildKey(api.db, tenant.siteId, tenant.memberId)).secret];
  const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => reserve(keys[index % 2] ?? '')));
  const made = answers.filter(({ status }) => status === 201);
  expect([made.length, answers.filter(({ status }) => status === 409).length]).toEqual([10, 30]);
});

describe('uploads that may not stay', () => {
  const clock = new TestClock();
  const sweep = () =>
    createSweepForgottenActivities({
      db: api.db,
      objects: createTestObjects(),
      clock,
      log: pino({ level: 'silent' }),
    }).sweepForgotten();
  const settled = () => clock.freeze(new Date(Date.now() + 3 * 60_000));
  const put = (url: string, bytes: Uint8Array) =>
    fetch(url, {
      method: 'PUT',
      body: bytes as Uint8Array<ArrayBuffer>,
      headers: { 'content-type': 'image/jpeg' },
    });

  test('of more than 10 MB are deleted within minutes, and their reservation is used up', async () => {
    const { data: large } = await reserve(tenant.secretKey);
    const { data: small } = await reserve(tenant.secretKey);
    expect((await put(large.upload_url, Buffer.alloc(10_000_001))).status).toBe(200);
    expect((await put(small.upload_url, Buffer.alloc(10_000_000))).status).toBe(200);
    // Its client may be about to register it, and then learns what is wrong with it.
    clock.freeze(new Date());
    await sweep();
    expect(await storedKeys(tenant.siteId)).toHaveLength(2);
    settled();
    await sweep();
    expect(await storedKeys(tenant.siteId)).toEqual([`uploads/${tenant.siteId}/${small.upload_id}`]);
    expect((await registerUpload(api, tenant.secretKey, large.upload_id)).status).toBe(409);
    expect((await registerUpload(api, tenant.secretKey, small.upload_id)).status).toBe(422);
  });

  test('made after the reservation is used up are deleted', async () => {
    const { data } = await reserve(tenant.secretKey);
    await put(data.upload_url, await noise(30, 20).jpeg().toBuffer());
    expect((await registerUpload(api, tenant.secretKey, data.upload_id)).status).toBe(201);
    expect((await put(data.upload_url, Buffer.alloc(1_000))).status).toBe(200);
    const key = `uploads/${tenant.siteId}/${data.upload_id}`;
    expect(await storedKeys(tenant.siteId)).toContain(key);
    settled();
    await sweep();
    const left = await storedKeys(tenant.siteId);
    expect([left.includes(key), left.length]).toEqual([false, 1]);
  });

  test('without a reservation are left alone, because the bucket may be shared', async () => {
    const { data } = await reserve(tenant.secretKey);
    await put(data.upload_url, Buffer.alloc(10_000_001));
    await api.db.pool.query('update upload_reservations set id = $2 where id = $1', [
      data.upload_id,
      randomUUID(),
    ]);
    settled();
    await sweep();
    expect(await storedKeys(tenant.siteId)).toHaveLength(1);
  });
});
