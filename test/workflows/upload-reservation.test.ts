import { publicFolder } from '../../domain/media/reservation.ts';
import { workflowIdOf } from '../../domain/kernel/workflow-messages.ts';
import { searchAttributes } from '../../workflows/names.ts';
import type { UploadReservationState } from '../../workflows/upload-reservation.ts';
import type { Answer } from '../support/api.ts';
import { buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { noise } from '../support/images.ts';
import { createTestObjects, storedKeys } from '../support/objects.ts';
import { createStorageProxy } from '../support/storage-proxy.ts';
import type { StorageProxy } from '../support/storage-proxy.ts';
import { eventually } from '../support/eventually.ts';
import { cleanOnce, startTimeSkippingStack, terminateAtRest } from './time-skipping-stack.ts';
import type { TimeSkippingStack } from './time-skipping-stack.ts';

const MINUTE = 60_000;

let storage: StorageProxy;
let stack: TimeSkippingStack;
let tenant: Tenant;
let bytes: Uint8Array<ArrayBuffer>;
let sequence = 0;

beforeAll(async () => {
  storage = await createStorageProxy();
  stack = await startTimeSkippingStack(null, createTestObjects(storage.endpoint));
  bytes = new Uint8Array(await noise(30, 20).png().toBuffer());
});
beforeEach(async () => {
  tenant = await buildTenant(stack.api.db);
});
afterEach(() => storage.mend());
afterAll(async () => {
  await stack.close();
  await storage.close();
});

const post = (path: string, body: object): Promise<Answer> =>
  stack.api.request('POST', path, { key: tenant.secretKey, body, idempotencyKey: `key-${(sequence += 1)}` });
const put = async (url: string): Promise<void> => {
  const headers = { 'content-type': 'image/png' };
  expect((await fetch(url, { method: 'PUT', body: bytes, headers })).status).toBe(200);
};
const register = (id: string): Promise<Answer> => post('/media', { upload_id: id });

const workflowOf = (id: string) =>
  stack.temporal.client.workflow.getHandle(workflowIdOf('upload-reservation', id));
const reaches = (id: string, wanted: UploadReservationState): Promise<void> =>
  eventually(`the workflow is ${wanted}`, async () => {
    const now = await workflowOf(id)
      .query<UploadReservationState>('state')
      .catch(() => null);
    return now === wanted;
  });

/** An upload with a waiting workflow. */
async function reserved(): Promise<{ id: string; url: string }> {
  const { status, data } = await post('/media/upload-url', { file_name: 'a.png', content_type: 'image/png' });
  expect(status).toBe(201);
  await reaches(data.upload_id, 'reserved');
  return { id: data.upload_id, url: data.upload_url };
}

const uploadsLeft = async (): Promise<string[]> =>
  (await storedKeys(tenant.siteId)).filter((key) => key.startsWith('uploads/'));

test('an upload can be registered for an hour, is 404 afterwards, and then swept', async () => {
  const { id, url } = await reserved();
  await put(url);
  const { id: second, url: secondUrl } = await reserved();
  await put(secondUrl);
  await stack.pass(59 * MINUTE);
  expect((await register(second)).status).toBe(201);
  await stack.pass(2 * MINUTE);
  const late = await register(id);
  expect([late.status, late.json.error.code]).toEqual([404, 'NOT_FOUND']);
  // A request from before the expiry may still be in flight.
  expect(await uploadsLeft()).toEqual([`uploads/${tenant.siteId}/${id}`]);
  await stack.pass(5 * MINUTE);
  await workflowOf(id).result();
  expect(await storedKeys(tenant.siteId)).toEqual([
    `${publicFolder(tenant.siteId)}/blog-images/${second}.png`,
  ]);
  expect((await register(id)).status).toBe(404);
});

test('an upload repeated after the registration is swept, the asset is not', async () => {
  const { id, url } = await reserved();
  await put(url);
  expect((await register(id)).status).toBe(201);
  await reaches(id, 'registered');
  await put(url);
  expect(await uploadsLeft()).toHaveLength(1);
  await stack.pass(66 * MINUTE);
  await workflowOf(id).result();
  expect(await storedKeys(tenant.siteId)).toEqual([`${publicFolder(tenant.siteId)}/blog-images/${id}.png`]);
  expect((await stack.api.request('GET', `/media/${id}`, { key: tenant.secretKey })).status).toBe(200);
});

test('a rejected upload is shown as rejected, and swept', async () => {
  const { id, url } = await reserved();
  const headers = { 'content-type': 'image/png' };
  expect((await fetch(url, { method: 'PUT', body: 'no image', headers })).status).toBe(200);
  expect((await register(id)).status).toBe(422);
  await reaches(id, 'rejected');
  await stack.pass(66 * MINUTE);
  await workflowOf(id).result();
  expect(await storedKeys(tenant.siteId)).toEqual([]);
});

test('a public copy without an asset is swept', async () => {
  const { id, url } = await reserved();
  await put(url);
  void storage.fail('copy', 'hold-answer');
  expect((await register(id)).status).toBe(503);
  storage.mend();
  expect(await storedKeys(tenant.siteId)).toHaveLength(2);
  await stack.pass(66 * MINUTE);
  await workflowOf(id).result();
  expect(await storedKeys(tenant.siteId)).toEqual([]);
});

test('an upload is swept once storage is back, after any outage', async () => {
  const { id, url } = await reserved();
  await put(url);
  const met = storage.fail('remove', 'answer-503');
  await stack.pass(66 * MINUTE);
  await met;
  await reaches(id, 'sweeping');
  expect(await uploadsLeft()).toHaveLength(1);
  storage.mend();
  await stack.pass(10 * MINUTE);
  await workflowOf(id).result();
  expect(await uploadsLeft()).toEqual([]);
});

test('an operator finds the workflow by Site, upload and state', async () => {
  const { id } = await reserved();
  const { typedSearchAttributes: found } = await workflowOf(id).describe();
  expect([
    found.get(searchAttributes.siteId),
    found.get(searchAttributes.uploadId),
    found.get(searchAttributes.processState),
  ]).toEqual([tenant.siteId, id, 'reserved']);
  await stack.pass(66 * MINUTE);
  await workflowOf(id).result();
});

test('uploads whose workflow was lost are swept by housekeeping once storage answers', async () => {
  const { id, url } = await reserved();
  await put(url);
  await terminateAtRest(workflowOf(id));
  const { id: second, url: secondUrl } = await reserved();
  await put(secondUrl);
  expect((await register(second)).status).toBe(201);
  void storage.fail('remove', 'refuse');
  expect((await stack.api.request('DELETE', `/media/${second}`, { key: tenant.secretKey })).status).toBe(204);
  await reaches(second, 'registered');
  await terminateAtRest(workflowOf(second));
  // The message that would start its deletion is lost, too.
  await stack.api.db.pool.query(`delete from outbox where kind = 'object-removal'`);
  await stack.pass(121 * MINUTE);
  const clean = async (): Promise<number> => (await cleanOnce(stack)).sweptForgotten;
  expect(await clean()).toBe(0);
  expect(await storedKeys(tenant.siteId)).toHaveLength(2);
  storage.mend();
  // Two reservations, and the bytes of the asset.
  expect(await clean()).toBe(3);
  expect(await storedKeys(tenant.siteId)).toEqual([]);
  expect(await clean()).toBe(0);
});

test('bytes that could not be deleted within the request are deleted once storage is back', async () => {
  const { id, url } = await reserved();
  await put(url);
  expect((await register(id)).status).toBe(201);
  void storage.fail('remove', 'refuse');
  expect((await stack.api.request('DELETE', `/media/${id}`, { key: tenant.secretKey })).status).toBe(204);
  await stack.pass(10 * MINUTE);
  expect(await storedKeys(tenant.siteId)).toHaveLength(1);
  storage.mend();
  await stack.pass(10 * MINUTE);
  await eventually('the bytes are gone', async () => (await storedKeys(tenant.siteId)).length === 0);
  await eventually('the pending deletion is done', async () => {
    const { rows } = await stack.api.db.pool.query('select from doomed_objects where site_id = $1', [
      tenant.siteId,
    ]);
    return rows.length === 0;
  });
});
