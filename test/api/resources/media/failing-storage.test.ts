import { publicFolder } from '../../../../domain/media/reservation.ts';
import { createTestObjects } from '../../../support/objects.ts';
import { noise } from '../../../support/images.ts';
import { useApi } from '../../../support/api.ts';
import type { Answer } from '../../../support/api.ts';
import { buildTenant } from '../../../support/builders.ts';
import { createStorageProxy } from '../../../support/storage-proxy.ts';
import type { Fault, StorageStep } from '../../../support/storage-proxy.ts';

const storage = await createStorageProxy();
const api = await useApi({ objects: createTestObjects(storage.endpoint, 3) });
const tenant = await buildTenant(api.db);
const bytes = new Uint8Array(await noise(300, 200).jpeg().toBuffer());

afterEach(() => storage.mend());
afterAll(() => storage.close());

let sequence = 0;
const post = (path: string, body: object, idempotencyKey = `key-${(sequence += 1)}`): Promise<Answer> =>
  api.request('POST', path, { key: tenant.secretKey, body, idempotencyKey });

const reserve = (): Promise<Answer> =>
  post('/media/upload-url', { file_name: 'a.jpg', content_type: 'image/jpeg' });

async function uploaded(body = bytes): Promise<string> {
  const { data } = await reserve();
  const headers = { 'content-type': 'image/jpeg' };
  expect((await fetch(data.upload_url, { method: 'PUT', body, headers })).status).toBe(200);
  return data.upload_id;
}

const stored = (key: string): Promise<object | null> => createTestObjects().read(key, 10);
const publicKeyOf = (id: string): string => `${publicFolder(tenant.siteId)}/blog-images/${id}.jpg`;
const assetsOf = async (id: string): Promise<number> =>
  (await api.db.pool.query('select id from media_assets where id = $1', [id])).rows.length;
const statusOf = async (id: string): Promise<string> =>
  (await api.db.pool.query('select status from upload_reservations where id = $1', [id])).rows[0].status;
const leftToRemove = async (key: string): Promise<number> =>
  (
    await api.db.pool.query(
      `select d.id from doomed_objects d join outbox o on o.id = d.outbox_id where d.object_key = $1`,
      [key],
    )
  ).rows.length;

const steps: readonly StorageStep[] = ['read', 'copy'];
// Three of them never end by themselves: that there is an answer shows that the product waits no longer.
const faults: readonly Fault[] = [
  'refuse',
  'answer-500',
  'answer-503',
  'cut',
  'hold-request',
  'hold-answer',
  'stall',
];
const cases = steps.flatMap((step) => faults.map((fault) => [step, fault] as const));

test.each(cases)(
  'if the %s meets “%s”, a registration is 503, and a retry with the key succeeds',
  async (step, fault) => {
    const id = await uploaded();
    void storage.fail(step, fault);
    const key = `same-${step}-${fault}`;
    const refused = await post('/media', { upload_id: id }, key);
    expect([refused.status, refused.json.error.code]).toEqual([503, 'MAINTENANCE']);
    expect(refused.text).not.toMatch(/s3|socket|abort|127\.0|storage/i);
    expect([await statusOf(id), await assetsOf(id)]).toEqual(['reserved', 0]);
    // Signing needs no storage.
    expect((await reserve()).status).toBe(201);
    storage.mend();
    const answer = await post('/media', { upload_id: id }, key);
    expect([answer.status, answer.data?.id]).toEqual([201, id]);
    expect(answer.headers.get('idempotency-replayed')).toBeNull();
    expect([await statusOf(id), await assetsOf(id)]).toEqual(['registered', 1]);
    expect(await stored(publicKeyOf(id))).not.toBeNull();
    expect(await stored(`uploads/${tenant.siteId}/${id}`)).toBeNull();
  },
);

test.each(faults)(
  'if the clean-up meets “%s”, the registration succeeds, and the worker cleans up',
  async (fault) => {
    const id = await uploaded();
    void storage.fail('remove', fault);
    const answer = await post('/media', { upload_id: id });
    expect(answer.status).toBe(201);
    expect(await leftToRemove(`uploads/${tenant.siteId}/${id}`)).toBe(1);
  },
);

test.each(faults)(
  'if it meets “%s”, a deletion succeeds, and the worker deletes the bytes',
  async (fault) => {
    const id = await uploaded();
    await post('/media', { upload_id: id });
    void storage.fail('remove', fault);
    const remove = (): Promise<Answer> => api.request('DELETE', `/media/${id}`, { key: tenant.secretKey });
    expect((await remove()).status).toBe(204);
    expect([await assetsOf(id), await leftToRemove(publicKeyOf(id))]).toEqual([0, 1]);
    expect((await remove()).status).toBe(404);
  },
);

test('an upload that is not an image is refused even if it cannot be deleted; the worker deletes it', async () => {
  const id = await uploaded(new Uint8Array(Buffer.from('hello')));
  void storage.fail('remove', 'refuse');
  expect((await post('/media', { upload_id: id })).status).toBe(422);
  expect([await statusOf(id), await leftToRemove(`uploads/${tenant.siteId}/${id}`)]).toEqual(['rejected', 1]);
});

test('bytes are not public before the registration is committed, or after the deletion', async () => {
  const id = await uploaded();
  const served = async (): Promise<number> => (await fetch(`${api.origin}/${publicKeyOf(id)}`)).status;
  void storage.fail('copy', 'hold-answer');
  expect((await post('/media', { upload_id: id }, 'unheard')).status).toBe(503);
  expect([(await stored(publicKeyOf(id))) !== null, await served()]).toEqual([true, 404]);
  storage.mend();
  expect((await post('/media', { upload_id: id }, 'unheard')).status).toBe(201);
  expect(await served()).toBe(200);
  void storage.fail('remove', 'refuse');
  await api.request('DELETE', `/media/${id}`, { key: tenant.secretKey });
  expect([(await stored(publicKeyOf(id))) !== null, await served()]).toEqual([true, 404]);
});

test('an image that breaks off while it is served is not a complete answer', async () => {
  const id = await uploaded();
  await post('/media', { upload_id: id });
  void storage.fail('read', 'cut');
  const served = await fetch(`${api.origin}/${publicKeyOf(id)}`);
  await expect(served.arrayBuffer()).rejects.toThrow();
  storage.mend();
  void storage.fail('read', 'hold-request');
  for (const method of ['GET', 'HEAD']) {
    const away = await fetch(`${api.origin}/${publicKeyOf(id)}`, { method });
    expect([away.status, Number(away.headers.get('retry-after')) > 0]).toEqual([503, true]);
  }
});

test('two registrations whose copies were not answered make one asset when they are retried', async () => {
  const id = await uploaded();
  void storage.fail('copy', 'hold-answer');
  const both = [post('/media', { upload_id: id }, 'one'), post('/media', { upload_id: id }, 'two')];
  expect((await Promise.all(both))[0]?.status).toBe(503);
  storage.mend();
  // The unanswered copy has the same key as the next one.
  const again = await Promise.all(['one', 'two'].map((key) => post('/media', { upload_id: id }, key)));
  expect(again.map(({ status }) => status).toSorted()).toEqual([201, 409]);
  expect(await assetsOf(id)).toBe(1);
});
