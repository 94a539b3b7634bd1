import { CALLBACK, pkce, refresh, send } from '../../../support/oauth.ts';
import { grantAccess } from '../../../../domain/oauth/consent.ts';
import { startApi } from '../../../support/api.ts';
import type { TestApi } from '../../../support/api.ts';
import { buildTenant } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';
import { eventually } from '../../../support/eventually.ts';
import { createDatabaseWire, endApis, spawnApi } from '../../processes.ts';
import type { DatabaseWire, Stop } from '../../processes.ts';

let api: TestApi;
let wire: DatabaseWire;
let tenant: Tenant;

beforeAll(async () => {
  api = await startApi();
  wire = await createDatabaseWire(api.url);
});
beforeEach(async () => {
  tenant = await buildTenant(api.db);
});
afterEach(() => endApis());
afterAll(async () => {
  await wire.close();
  await api.close();
});

const clientId = 'https://client.example/client';

/** A code that a person has approved. */
async function approved(): Promise<Record<string, string>> {
  const { verifier, challenge } = pkce();
  const asked = {
    clientId,
    clientName: 'Killed',
    redirectUri: CALLBACK,
    resource: 'x',
    scopes: ['articles:read'],
    codeChallenge: challenge,
  } as const;
  const by = {
    actor: { kind: 'system', name: 'test' },
    memberId: tenant.memberId,
    role: 'owner',
    site: { id: tenant.siteId, organisationId: tenant.organisationId },
    clientAddress: '192.0.2.1',
    draftsOnly: true,
  } as const;
  const code = await api.db.transaction((tx) => grantAccess(tx, asked, by, new Date()));
  return {
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    redirect_uri: CALLBACK,
    code_verifier: verifier,
  };
}

/** Sends to another process, which is killed at the COMMIT. */
async function killedAt(
  stop: Stop,
  sending: (there: Pick<TestApi, 'request' | 'origin'>) => Promise<unknown>,
): Promise<void> {
  const process = await spawnApi(wire.url);
  const stopped = wire.stopCommit(stop);
  const answered = sending({ origin: process.origin, request: api.request }).then(
    () => true,
    () => false,
  );
  await stopped;
  const connections = async (state: string) =>
    (
      await api.db.pool.query(
        `select from pg_stat_activity where datname = current_database() and application_name = 'presswork-api' and ${state}`,
      )
    ).rowCount ?? 0;
  if (stop === 'its answer')
    await eventually('COMMIT is done', async () => (await connections(`state <> 'idle'`)) === 0);
  await process.kill();
  expect(await answered).toBe(false);
  await eventually('the database has noticed', async () => (await connections('true')) === 0);
}

const works = async (key: string) => (await api.request('GET', '/articles', { key })).status;

test('an API killed before the COMMIT of an exchange: the code is still good', async () => {
  const fields = await approved();
  await killedAt('the statement', (there) => send(there, '/oauth/token', fields));
  const answer = await send(api, '/oauth/token', fields);
  expect([answer.status, await works(answer.json.access_token)]).toEqual([200, 200]);
});

test('killed after it: the key whose secret nobody has is revoked by the next attempt', async () => {
  const fields = await approved();
  await killedAt('its answer', (there) => send(there, '/oauth/token', fields));
  expect((await send(api, '/oauth/token', fields)).json.error).toBe('invalid_grant');
  const { rows } = await api.db.pool.query(
    `select revoked_at is not null as revoked from api_keys where site_id = $1 and name = 'Killed'`,
    [tenant.siteId],
  );
  expect(rows).toEqual([{ revoked: true }]);
});

test('killed before the COMMIT of a refresh: both tokens are still good', async () => {
  const tokens = (await send(api, '/oauth/token', await approved())).json;
  await killedAt('the statement', (there) => refresh(there, clientId, tokens.refresh_token));
  expect(await works(tokens.access_token)).toBe(200);
  expect((await refresh(api, clientId, tokens.refresh_token)).status).toBe(200);
});
