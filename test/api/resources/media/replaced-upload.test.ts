import { sweepReservation } from '../../../../activities/upload-reservation.ts';
import { publicKey, readReservation } from '../../../../domain/media/reservation.ts';
import type { ObjectStore } from '../../../../adapters/storage/objects.ts';
import { useApi } from '../../../support/api.ts';
import type { Answer } from '../../../support/api.ts';
import { buildTenant } from '../../../support/builders.ts';
import { TestClock } from '../../../support/clock.ts';
import { noise } from '../../../support/images.ts';
import { createTestObjects } from '../../../support/objects.ts';

// A client may PUT other bytes to the same URL while a registration reads or copies the first ones.

const objects = createTestObjects();
const clock = new TestClock();
/** Copies wait for it. */
let gate: Promise<void>;
let copying: () => void;

const publish: ObjectStore['publish'] = async (...copy) => {
  copying();
  await gate;
  return objects.publish(...copy);
};
const api = await useApi({ clock, objects: { ...objects, publish } });
const tenant = await buildTenant(api.db);
beforeEach(() => {
  gate = Promise.resolve();
  copying = () => {};
});

const post = (path: string, body: object): Promise<Answer> =>
  api.request('POST', path, { key: tenant.secretKey, body, idempotencyKey: true });
const register = (id: string): Promise<Answer> => post('/media', { upload_id: id });

async function reserve() {
  const { data } = await post('/media/upload-url', { file_name: 'a.jpg', content_type: 'image/jpeg' });
  return {
    id: data.upload_id as string,
    put: async (bytes: Uint8Array): Promise<void> => {
      const body = bytes as Uint8Array<ArrayBuffer>;
      const response = await fetch(data.upload_url, { method: 'PUT', body, headers: data.headers });
      expect(response.status).toBe(200);
    },
  };
}

/** Begins a registration whose copy is held. */
async function beginCopy(id: string): Promise<{ answer: Promise<Answer>; go: () => void }> {
  let go = (): void => {};
  gate = new Promise((resolve) => (go = resolve));
  const begun = new Promise<void>((resolve) => (copying = resolve));
  const answer = register(id);
  await begun;
  return { answer, go };
}

const stored = async ({ data }: Answer): Promise<Buffer | undefined> =>
  (await objects.read(data.url.slice(data.url.indexOf('public/')), 1_000_000))?.bytes;

test('while one version is copied, another is 409, and what is registered is what is stored', async () => {
  const [first, second] = [await noise(30, 30).jpeg().toBuffer(), await noise(40, 40).jpeg().toBuffer()];
  const { id, put } = await reserve();
  await put(first);
  const { answer, go } = await beginCopy(id);
  await put(second);
  expect(await register(id)).toMatchObject({ status: 409 });
  await put(first);
  go();
  const asset = await answer;
  expect([asset.status, asset.data.width]).toEqual([201, 30]);
  expect((await stored(asset))?.equals(first)).toBe(true);
});

test('a registration that was overtaken by another version after a long time registers nothing', async () => {
  const [first, second] = [await noise(30, 30).jpeg().toBuffer(), await noise(40, 40).jpeg().toBuffer()];
  const { id, put } = await reserve();
  await put(first);
  const slow = await beginCopy(id);
  await put(second);
  clock.advance(10_000);
  const next = await beginCopy(id);
  await put(first);
  slow.go();
  expect(await slow.answer).toMatchObject({ status: 409 });
  await put(second);
  next.go();
  const asset = await next.answer;
  expect([asset.status, asset.data.width]).toEqual([201, 40]);
  expect((await stored(asset))?.equals(second)).toBe(true);
});

test('an upload that was replaced before its copy can be registered again at once', async () => {
  const [first, second] = [await noise(30, 30).jpeg().toBuffer(), await noise(40, 40).jpeg().toBuffer()];
  const { id, put } = await reserve();
  await put(first);
  const { answer, go } = await beginCopy(id);
  await put(second);
  go();
  expect(await answer).toMatchObject({ status: 409 });
  const asset = await register(id);
  expect([asset.status, asset.data.width]).toEqual([201, 40]);
  expect((await stored(asset))?.equals(second)).toBe(true);
});

test('while another copy of the same version may be under way, a refused one frees nothing', async () => {
  const [first, second] = [await noise(30, 30).jpeg().toBuffer(), await noise(40, 40).jpeg().toBuffer()];
  const { id, put } = await reserve();
  await put(first);
  const slow = await beginCopy(id);
  const refused = await beginCopy(id);
  await put(second);
  refused.go();
  expect(await refused.answer).toMatchObject({ status: 409 });
  expect(await register(id)).toMatchObject({ status: 409 });
  await put(first);
  slow.go();
  const asset = await slow.answer;
  expect([asset.status, asset.data.width]).toEqual([201, 30]);
  expect((await stored(asset))?.equals(first)).toBe(true);
});

test('a copy of another type, which a lost registration left, is swept, and the asset stays', async () => {
  const { id, put } = await reserve();
  const reservation = await readReservation(api.db, id);
  if (reservation === null) throw new Error('There is no reservation');
  const [lost, kept] = [publicKey(reservation, 'png'), publicKey(reservation, 'jpg')];
  await objects.put(lost, await noise(9, 9).png().toBuffer(), 'image/png');
  await put(await noise(30, 30).jpeg().toBuffer());
  expect((await register(id)).status).toBe(201);
  await sweepReservation({ db: api.db, objects }, reservation);
  expect([await objects.read(lost, 10), await objects.read(kept, 10)]).toEqual([
    null,
    expect.objectContaining({ truncated: true }),
  ]);
});
