import { pino } from 'pino';
import { workflowIdOf } from '../../domain/kernel/workflow-messages.ts';
import { startDeviceSignIn, poll } from '../support/device.ts';
import { buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { startTimeSkippingStack } from './time-skipping-stack.ts';
import type { TimeSkippingStack } from './time-skipping-stack.ts';

let stack: TimeSkippingStack;
let tenant: Tenant;
const logged: string[] = [];

beforeAll(async () => {
  const log = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) });
  stack = await startTimeSkippingStack(undefined, undefined, log);
  tenant = await buildTenant(stack.api.db);
});
afterAll(() => stack.close());

const call = async (method: string, path: string, body?: object): Promise<any> => {
  const answer = await stack.api.request(method, path, { key: tenant.secretKey, body, idempotencyKey: true });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
  return answer.data;
};

/** Calls every operation that returns a secret. @returns the secrets, and the ids of the started workflows */
async function makeSecrets(): Promise<{ secrets: Record<string, string>; workflowIds: string[] }> {
  const key = await call('POST', '/keys', { name: 'k', kind: 'secret', scopes: ['articles:read'] });
  const publishable = await call('POST', '/keys', {
    name: 'p',
    kind: 'publishable',
    scopes: ['articles:read'],
  });
  const rotated = await call('POST', `/keys/${key.id}/rotate`, { grace_seconds: 60 });
  const webhook = await call('POST', '/webhooks', {
    url: 'https://example.com/hook',
    events: ['article.published'],
  });
  const renewed = await call('POST', `/webhooks/${webhook.id}/rotate-secret`);
  const upload = await call('POST', '/media/upload-url', { file_name: 'a.png', content_type: 'image/png' });
  const signIn = await startDeviceSignIn(stack.api, { scopes: ['articles:read'] });
  await call('POST', '/auth/device/approve', { user_code: signIn.user_code });
  const device = (await poll(stack.api, signIn)).data.key;
  const secrets = {
    'the calling key': tenant.secretKey,
    'a created key': key.secret,
    'a publishable key': publishable.secret,
    'a rotated key': rotated.secret,
    'the secret of a webhook': webhook.secret,
    'its new secret': renewed.secret,
    'the signature of an upload URL': new URL(upload.upload_url).searchParams.get(
      'X-Amz-Signature',
    ) as string,
    'a device code': signIn.device_code,
    'the key of a device': device.secret,
  };
  const workflowIds = [workflowIdOf('key-rotation', key.id), `upload-reservation/${upload.upload_id}`];
  return { secrets, workflowIds };
}

/** Every row of every table, as text. */
async function dumpDatabase(): Promise<string> {
  const { pool } = stack.api.db;
  const tables = await pool.query<{ name: string }>(
    `select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public'`,
  );
  const dumps = tables.rows.map(async ({ name }) => {
    const { rows } = await pool.query<{ row: string }>(`select t::text as row from ${name} t`);
    return rows.map(({ row }) => `${name} ${row}`).join('\n');
  });
  return (await Promise.all(dumps)).join('\n');
}

/** The histories of workflows, with decoded payloads. */
async function dumpHistories(workflowIds: readonly string[]): Promise<string> {
  const { workflow } = stack.temporal.client;
  const histories = await Promise.all(workflowIds.map((id) => workflow.getHandle(id).fetchHistory()));
  return JSON.stringify(histories, (name, value: unknown) =>
    name === 'data' && typeof value === 'string' ? Buffer.from(value, 'base64').toString() : value,
  );
}

/** The forms in which a text may be stored: as text, and as bytes in several encodings. */
const spellings = (secret: string): string[] => {
  const bytes = Buffer.from(secret);
  return [secret, bytes.toString('hex'), bytes.toString('base64').replace(/=+$/, '').slice(0, -1)];
};

test('no secret is in the database, the log or any history after every operation that returns one', async () => {
  const { secrets, workflowIds } = await makeSecrets();
  for (const secret of Object.values(secrets)) expect(secret.length).toBeGreaterThanOrEqual(32);
  for (const id of workflowIds) {
    await eventually(`${id} is running`, () =>
      stack.temporal.client.workflow
        .getHandle(id)
        .describe()
        .then(
          () => true,
          () => false,
        ),
    );
  }
  await stack.pass(2 * 60_000);
  const [database, histories] = [await dumpDatabase(), await dumpHistories(workflowIds)];
  const places = { database, histories, log: logged.join('') };
  // The searched dumps are complete: each contains what it should.
  expect(database.includes(tenant.siteId)).toBe(true);
  for (const id of workflowIds) expect(histories.includes(id.split('/')[1] as string)).toBe(true);
  expect(places.log.includes('/v1/keys')).toBe(true);
  const found = Object.entries(secrets).flatMap(([what, secret]) =>
    Object.entries(places)
      .filter(([, text]) => spellings(secret).some((spelling) => text.includes(spelling)))
      .map(([place]) => `${what} is in the ${place}`),
  );
  expect(found).toEqual([]);
});
