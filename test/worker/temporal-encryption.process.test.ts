import { randomBytes } from 'node:crypto';
import { Client } from '@temporalio/client';
import { createPayloadCodec } from '../../adapters/temporal/payload-codec.ts';
import { startApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { buildArticle, buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { startTemporal } from '../support/temporal.ts';
import type { TestTemporal } from '../support/temporal.ts';
import { endWorkers, oneAtATime } from './processes.ts';

const key = randomBytes(32);

let api: TestApi;
let tenant: Tenant;
let temporal: TestTemporal;

beforeAll(async () => {
  [api, temporal] = await Promise.all([startApi(), startTemporal()]);
  tenant = await buildTenant(api.db);
});
afterAll(async () => {
  endWorkers();
  await api.close();
  await temporal.close();
});

const encrypting = { TEMPORAL_ENCRYPTION_KEY: key.toString('base64') };
let env: Record<string, string> = {};
const workers = oneAtATime(() => {
  const { address: temporalAddress, namespace } = temporal;
  return { databaseUrl: api.url, temporalAddress, namespace, env };
});

async function schedule(inMs: number): Promise<string> {
  const { id } = await buildArticle(api, tenant.secretKey, { title: 'Sealed', content: 'Text.' });
  const body = { scheduled_publish_at: new Date(Date.now() + inMs).toISOString() };
  await api.request('POST', `/articles/${id}/schedule`, { key: tenant.secretKey, body });
  return id;
}

const published = (id: string): Promise<void> =>
  eventually(
    'the article is published',
    async () =>
      (await api.request('GET', `/articles/${id}`, { key: tenant.secretKey })).data.status === 'published',
    100,
  );

const handleOf = (id: string) => temporal.client.workflow.getHandle(`scheduled-publish/${id}`);

/** All payloads of a history but those that Temporal itself reads: search attributes, and headers with the trace. */
function payloadsIn(value: unknown, found: any[] = []): any[] {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return found;
  if ('metadata' in value && 'data' in value) found.push(value);
  for (const [name, part] of Object.entries(value))
    if (name !== 'searchAttributes' && name !== 'header') payloadsIn(part, found);
  return found;
}

const encodingOf = (payload: any): string => Buffer.from(payload.metadata?.encoding ?? []).toString();
const textOf = (payload: any): string => Buffer.from(payload.data ?? []).toString('latin1');

// First: the worker with the key is that of the tests that follow.
test('a workflow that was started before there was a key goes on', async () => {
  const before = await workers.working();
  const id = await schedule(8_000);
  await eventually('it waits', async () => {
    try {
      const { historyLength } = await handleOf(id).describe();
      return historyLength > 5;
    } catch {
      return false;
    }
  });
  expect(await before.stop()).toBe(0);
  env = encrypting;
  const after = await workers.working();
  await published(id);
  await eventually('it has ended', async () => (await handleOf(id).describe()).status.name === 'COMPLETED');
  const { events } = await handleOf(id).fetchHistory();
  const input = events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads ?? [];
  expect(input.map(encodingOf)).toEqual(['json/plain']);
  expect(after.said()).not.toContain('Failed to process Workflow Activation');
});

test('what Temporal stores of a workflow is encrypted, and is read with the key', async () => {
  env = encrypting;
  await workers.working();
  const id = await schedule(500);
  await published(id);
  await eventually('it has ended', async () => (await handleOf(id).describe()).status.name === 'COMPLETED');
  const { events } = await handleOf(id).fetchHistory();
  const input = events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads ?? [];
  expect(input.map(encodingOf)).toEqual(['binary/encrypted']);
  const payloads = payloadsIn(events);
  expect(payloads.length).toBeGreaterThan(input.length);
  for (const secret of [id, tenant.siteId])
    expect(payloads.filter((payload) => textOf(payload).includes(secret))).toEqual([]);

  const [read] = await createPayloadCodec([key]).decode(input);
  expect(textOf(read)).toContain(id);
});

test('queries, signals and details work with the key, and a signal without it is taken too', async () => {
  env = encrypting;
  await workers.working();
  const id = await schedule(60 * 60_000);
  const { connection, namespace } = temporal;
  const dataConverter = { payloadCodecs: [createPayloadCodec([key])] };
  const reader = new Client({ connection, namespace, dataConverter });
  const stateOf = () =>
    reader.workflow
      .getHandle(`scheduled-publish/${id}`)
      .query<{ state: string }>('state')
      .then(
        ({ state }) => state,
        () => 'unknown',
      );
  await eventually('it waits', async () => (await stateOf()) === 'waiting', 100);
  // Temporal's command line knows no key.
  await api.db.pool.query(`update articles set scheduled_publish_at = now() where id = $1`, [id]);
  await handleOf(id).signal('reschedule');
  await published(id);
});

test('why an activity failed is encrypted too', async () => {
  env = encrypting;
  const worker = await workers.working();
  const { workflowId } = await temporal.client.workflow.start('objectRemoval', {
    taskQueue: 'presswork',
    workflowId: 'object-removal/fails',
    // PostgreSQL's message repeats it.
    args: [{ objectId: 'no-uuid-to-look-for', siteId: tenant.siteId }],
  });
  const failure = async () => {
    const { raw } = await temporal.client.workflow.getHandle(workflowId).describe();
    return raw.pendingActivities?.[0]?.lastFailure;
  };
  await eventually('the activity has failed', failure, 100);
  const { message, stackTrace, encodedAttributes } = (await failure())!;
  expect([message, stackTrace ?? '']).toEqual(['Encoded failure', '']);
  const [read] = await createPayloadCodec([key]).decode([encodedAttributes!]);
  expect(textOf(read)).toContain('no-uuid-to-look-for');
  await temporal.client.workflow.getHandle(workflowId).terminate();
  expect(await worker.stop()).toBe(0);
});
