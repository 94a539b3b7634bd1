import { startApi } from '../../../support/api.ts';
import type { TestApi } from '../../../support/api.ts';
import { buildTenant } from '../../../support/builders.ts';
import { poll, startDeviceSignIn } from '../../../support/device.ts';
import { eventually } from '../../../support/eventually.ts';
import { createDatabaseWire, endApis, spawnApi } from '../../processes.ts';
import type { DatabaseWire, Stop } from '../../processes.ts';

let api: TestApi;
let wire: DatabaseWire;

beforeAll(async () => {
  api = await startApi();
  wire = await createDatabaseWire(api.url);
});
afterEach(() => endApis());
afterAll(async () => {
  await wire.close();
  await api.close();
});

/** The API's connections through the wire, by their state. */
const connections = async (state: string): Promise<number> =>
  (
    await api.db.pool.query(
      `select from pg_stat_activity where datname = current_database() and application_name = 'presswork-api' and ${state}`,
    )
  ).rowCount ?? 0;

test.each<[Stop, string, string | null]>([
  [
    'the statement',
    'no key exists, and the next poll gets key and secret',
    expect.stringMatching(/^svc_sk_/),
  ],
  ['its answer', 'the key exists, and its secret is lost', null],
])('an API killed at %s of the COMMIT of the poll that collects: %s', async (stop, _what, secret) => {
  const { secretKey } = await buildTenant(api.db);
  const client_name = `Killed at ${stop}`;
  const started = await startDeviceSignIn(api, { client_name });
  const body = { user_code: started.user_code };
  expect((await api.request('POST', '/auth/device/approve', { key: secretKey, body })).status).toBe(200);

  const process = await spawnApi(wire.url);
  const stopped = wire.stopCommit(stop);
  const there: Pick<TestApi, 'request'> = {
    request: (method, path, options) => api.request(method, `${process.origin}/v1${path}`, options),
  };
  const answered = poll(there, started).then(
    () => true,
    () => false,
  );
  await stopped;
  if (stop === 'its answer')
    await eventually('COMMIT is done', async () => (await connections(`state <> 'idle'`)) === 0);
  await process.kill();
  expect(await answered).toBe(false);
  await eventually('the database has noticed', async () => (await connections('true')) === 0);

  const keys = async () =>
    (await api.db.pool.query('select id from api_keys where name = $1', [client_name])).rows;
  expect(await keys()).toHaveLength(stop === 'its answer' ? 1 : 0);
  const { data } = await poll(api, started);
  expect([data.status, data.key.secret]).toEqual(['approved', secret]);
  expect(await keys()).toEqual([{ id: data.key.id }]);
});
