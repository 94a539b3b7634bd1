import { publicFolder } from '../../../../domain/media/reservation.ts';
import { createTestDatabase } from '../../../support/database.ts';
import type { TestDatabase } from '../../../support/database.ts';
import { createDatabaseWire, endApis, spawnApi } from '../../processes.ts';
import type { ApiProcess, DatabaseWire, Stop } from '../../processes.ts';
import { buildTenant } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';
import { noise } from '../../../support/images.ts';
import { storedKeys } from '../../../support/objects.ts';
import { createStorageProxy } from '../../../support/storage-proxy.ts';
import type { StorageProxy } from '../../../support/storage-proxy.ts';
import { eventually } from '../../../support/eventually.ts';
import { startTemporal } from '../../../support/temporal.ts';
import { endWorkers, spawnWorker } from '../../../worker/processes.ts';

let database: TestDatabase;
let wire: DatabaseWire;
let storage: StorageProxy;
let tenant: Tenant;
let api: ApiProcess | undefined;
let bytes: Uint8Array<ArrayBuffer>;
const tenants: Tenant[] = [];

beforeAll(async () => {
  [database, storage] = await Promise.all([createTestDatabase(), createStorageProxy()]);
  wire = await createDatabaseWire(database.url);
  bytes = new Uint8Array(await noise(300, 200).jpeg().toBuffer());
});
beforeEach(async () => {
  tenant = await buildTenant(database.db);
  tenants.push(tenant);
  // Reuses the API that the previous test started after its crash.
  if (api?.isAlive() !== true) await start();
});
afterEach(() => storage.mend());
afterAll(async () => {
  endApis();
  endWorkers();
  await wire.close();
  await database.drop();
  await storage.close();
});

async function start(): Promise<void> {
  api = await spawnApi(wire.url, storage.endpoint);
}

/** Crashes and starts again, with storage working. */
async function crash(): Promise<void> {
  await api?.kill();
  storage.mend();
  await start();
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Sent = { readonly status: number; readonly replayed: boolean; readonly data: any };

async function send(method: string, path: string, body?: object, idempotencyKey = ''): Promise<Sent> {
  const headers: Record<string, string> = { authorization: `Bearer ${tenant.secretKey}` };
  if (idempotencyKey !== '') headers['idempotency-key'] = idempotencyKey;
  if (body !== undefined) headers['content-type'] = 'application/json';
  const response = await fetch(`${api?.origin}/v1${path}`, {
    method,
    headers,
    body: body && JSON.stringify(body),
  });
  const text = await response.text();
  const replayed = response.headers.get('idempotency-replayed') === 'true';
  return { status: response.status, replayed, data: text === '' ? undefined : JSON.parse(text).data };
}

const reserve = (): Promise<Sent> =>
  send('POST', '/media/upload-url', { file_name: 'a.jpg', content_type: 'image/jpeg' }, 'reserve');
const register = (id: string): Promise<Sent> => send('POST', '/media', { upload_id: id }, 'register');
const remove = (id: string): Promise<Sent> => send('DELETE', `/media/${id}`);

/** A request that the crash interrupts. */
const cutOff = (request: Promise<Sent>): Promise<unknown> =>
  request.then(
    () => 'answered',
    () => 'cut off',
  );

async function uploaded(body = bytes): Promise<string> {
  const { data } = await reserve();
  await fetch(data.upload_url, { method: 'PUT', body, headers: { 'content-type': 'image/jpeg' } });
  return data.upload_id;
}

const count = async (table: string): Promise<number> =>
  (await database.db.pool.query(`select count(*) from ${table} where site_id = $1`, [tenant.siteId])).rows[0]
    .count;

/** Sends a request, and kills the API at its COMMIT, or at the answer to it. */
async function crashAtCommit(stop: Stop, request: () => Promise<Sent>): Promise<void> {
  const stopped = wire.stopCommit(stop);
  const sent = cutOff(request());
  await stopped;
  await crash();
  expect(await sent).toBe('cut off');
}

/** The first answer after a crash that is not “still running”: locks of the dead process end with its connections. */
async function settled(request: () => Promise<Sent>): Promise<Sent> {
  let answer = await request();
  await eventually('the key is free', async () => {
    if (answer.status !== 409) return true;
    answer = await request();
    return answer.status !== 409;
  });
  return answer;
}

const becomesOneAsset = async (id: string, replayed = false): Promise<void> => {
  const answer = await settled(() => register(id));
  expect([answer.status, answer.data?.id, answer.replayed]).toEqual([201, id, replayed]);
  expect(await count('media_assets')).toBe(1);
  const served = await fetch(`${api?.origin}/${publicFolder(tenant.siteId)}/blog-images/${id}.jpg`);
  expect(new Uint8Array(await served.arrayBuffer())).toEqual(bytes);
};

test('killed before a reservation is committed: a retry with the key reserves', async () => {
  await crashAtCommit('the statement', reserve);
  const again = await settled(reserve);
  expect([again.status, again.replayed, again.data.upload_url_replayable]).toEqual([201, false, true]);
  expect(await count('upload_reservations')).toBe(1);
});

test('killed after a reservation is committed: a retry with the key returns it, without its URL', async () => {
  await crashAtCommit('its answer', reserve);
  const again = await settled(reserve);
  expect([again.status, again.replayed, again.data.upload_url]).toEqual([201, true, null]);
  expect(await count('upload_reservations')).toBe(1);
});

test('killed between upload and registration: the upload can be registered', async () => {
  const id = await uploaded();
  await crash();
  await becomesOneAsset(id);
});

test.each([
  ['before the upload is read', 'read', 'hold-request'],
  ['in the middle of the upload', 'read', 'stall'],
  ['before it is copied', 'copy', 'hold-request'],
  ['once it has been copied', 'copy', 'hold-answer'],
] as const)('killed %s: a retry with the key registers it, once', async (_when, step, fault) => {
  const id = await uploaded();
  const met = storage.fail(step, fault);
  const request = cutOff(register(id));
  await met;
  await crash();
  expect(await request).toBe('cut off');
  expect(await count('media_assets')).toBe(0);
  await becomesOneAsset(id);
});

test.each([
  ['before the registration is committed', 'the statement', false],
  ['once the registration is committed', 'its answer', true],
] as const)('killed %s: the same key gives one asset', async (_when, stop, replayed) => {
  const id = await uploaded();
  await crashAtCommit(stop, () => register(id));
  await becomesOneAsset(id, replayed);
});

test.each([
  ['before the upload is deleted', 'hold-request'],
  ['once the upload has been deleted', 'hold-answer'],
] as const)(
  'killed after the commit, %s: a retry with the key gets the lost answer',
  async (_when, fault) => {
    const id = await uploaded();
    const met = storage.fail('remove', fault);
    const request = cutOff(register(id));
    await met;
    await crash();
    expect(await request).toBe('cut off');
    await becomesOneAsset(id, true);
  },
);

test('killed after the copy, and never retried: the sweep cleans up', async () => {
  const id = await uploaded();
  const met = storage.fail('copy', 'hold-answer');
  const request = cutOff(register(id));
  await met;
  await crash();
  await request;
  expect(await storedKeys(tenant.siteId)).toHaveLength(2);
});

test.each([
  ['before a rejection is committed', 'the statement', 422],
  ['once a rejection is committed', 'its answer', 409],
] as const)('killed %s: it is rejected, once', async (_when, stop, status) => {
  const id = await uploaded(new Uint8Array(Buffer.from('hello')));
  await crashAtCommit(stop, () => register(id));
  await eventually('it is answered', async () => (await register(id)).status === status);
  expect((await register(id)).status).toBe(409);
  expect(await count('media_assets')).toBe(0);
});

test.each([
  [
    'before a deletion is committed: the asset is there, and the next deletion deletes it',
    'the statement',
    204,
  ],
  ['once a deletion is committed: the asset is gone', 'its answer', 404],
] as const)('killed %s', async (_when, stop, status) => {
  const id = await uploaded();
  await register(id);
  await crashAtCommit(stop, () => remove(id));
  expect((await remove(id)).status).toBe(status);
  expect(await count('media_assets')).toBe(0);
});

test.each([
  ['before the bytes are deleted', 'hold-request'],
  ['once the bytes have been deleted', 'hold-answer'],
] as const)('killed after the commit of a deletion, %s: the asset is gone', async (_when, fault) => {
  const id = await uploaded();
  await register(id);
  const met = storage.fail('remove', fault);
  const request = cutOff(remove(id));
  await met;
  await crash();
  expect(await request).toBe('cut off');
  expect([(await remove(id)).status, await count('media_assets')]).toEqual([404, 0]);
});

test('after all of this, a worker leaves exactly the objects of assets in storage', async () => {
  await database.db.pool.query(`update upload_reservations set expires_at = now() - interval '1 hour'`);
  const temporal = await startTemporal();
  try {
    const { address: temporalAddress, namespace } = temporal;
    await spawnWorker({ databaseUrl: database.url, temporalAddress, namespace }).working;
    const expected: string[] = [];
    for (const { siteId } of tenants) {
      const { rows } = await database.db.pool.query(
        'select object_key from media_assets where site_id = $1',
        [siteId],
      );
      expected.push(...rows.map((row) => row.object_key as string));
    }
    expect(expected.length).toBeGreaterThan(5);
    const stored = async (): Promise<string[]> =>
      (await Promise.all(tenants.map(({ siteId }) => storedKeys(siteId)))).flat();
    await eventually(
      'storage holds what assets name',
      async () => (await stored()).length === expected.length,
    );
    expect((await stored()).toSorted()).toEqual(expected.toSorted());
    await eventually('nothing is left to delete', async () => {
      const { rows } = await database.db.pool.query('select from doomed_objects');
      return rows.length === 0;
    });
  } finally {
    endWorkers();
    await temporal.close();
  }
});
