import { once } from 'node:events';
import { Agent, createServer, get, request } from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { Drain } from '../../api/http/drain.ts';
import { startApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { environment } from '../support/environment.ts';
import { eventually } from '../support/eventually.ts';
import { createWire } from '../support/temporal.ts';
import { endWorkers, spawnApi } from '../worker/processes.ts';

/** A database with keys; requests go to a separate API process. */
let stack: TestApi;
let tenant: Tenant;

beforeAll(async () => {
  stack = await startApi();
  tenant = await buildTenant(stack.db);
});
afterEach(() => endWorkers());
afterAll(() => stack.close());

const settings = (env: Record<string, string> = {}, databaseUrl = stack.url) => ({
  databaseUrl,
  temporalAddress: environment('TEMPORAL_ADDRESS'),
  namespace: 'default',
  env,
});

async function runningApi(env: Record<string, string> = {}, databaseUrl?: string) {
  const api = await spawnApi(settings(env, databaseUrl));
  await api.working;
  return api;
}

const answered = async (sent: ClientRequest): Promise<IncomingMessage> => {
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.resume();
  await once(answer, 'end');
  return answer;
};

/** Starts to create an article, and sends half of the body. */
async function begin(origin: string, agent: Agent): Promise<{ finish(): Promise<IncomingMessage> }> {
  const body = Buffer.from(JSON.stringify({ title: 'In flight' }));
  const headers = {
    authorization: `Bearer ${tenant.secretKey}`,
    'content-type': 'application/json',
    'content-length': body.length,
    'idempotency-key': crypto.randomUUID(),
  };
  const sent = request(`${origin}/v1/articles`, { method: 'POST', agent, headers });
  sent.write(body.subarray(0, 5));
  const [socket] = await once(sent, 'socket');
  if (socket.connecting) await once(socket, 'connect');
  return {
    finish: () => {
      sent.end(body.subarray(5));
      return answered(sent);
    },
  };
}

const refused = (origin: string): Promise<boolean> =>
  new Promise((resolve) => {
    const { port, hostname } = new URL(origin);
    const socket = connect(Number(port), hostname);
    socket.on('connect', () => (socket.destroy(), resolve(false)));
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED'));
  });

const closed = (origin: string, firstBytes: string) => {
  const { port, hostname } = new URL(origin);
  const socket = connect(Number(port), hostname, () => socket.write(firstBytes));
  socket.on('error', () => {}).resume();
  return once(socket, 'close');
};

test('signalled twice, it fails readiness, then refuses connections, answers requests in flight, closes connections, and exits with 0', async () => {
  const api = await runningApi({ SHUTDOWN_DELAY: '3s' });
  const agent = new Agent({ keepAlive: true });
  const inFlight = await begin(api.origin, agent);
  const idle = new Agent({ keepAlive: true, maxSockets: 1 });
  const first = await answered(get(`${api.origin}/healthz`, { agent: idle }));
  expect(first.headers.connection).toBe('keep-alive');
  const unused = closed(api.origin, '');
  const [connection] = Object.values(idle.freeSockets).flat();
  const idleClosed = once(connection!, 'close');
  const ended = api.stop();
  void api.stop();

  const { status, body } = await eventuallyDraining(api.origin);
  expect([status, body]).toEqual([503, { data: { status: 'draining' } }]);
  // Requests are still accepted until the load balancer notices; their connections close afterwards.
  const late = await answered(get(`${api.origin}/healthz`));
  expect([late.statusCode, late.headers.connection]).toEqual([200, 'close']);

  await eventually('no connection is accepted', () => refused(api.origin));
  const created = await inFlight.finish();
  expect([created.statusCode, created.headers.connection]).toEqual([201, 'close']);
  await Promise.all([idleClosed, unused]);
  expect(await ended).toBe(0);
  agent.destroy();
  idle.destroy();
});

async function eventuallyDraining(origin: string) {
  let status = 0;
  let body: unknown;
  await eventually('readiness goes off', async () => {
    const response = await fetch(`${origin}/readyz`);
    [status, body] = [response.status, await response.json()];
    return JSON.stringify(body).includes('draining');
  });
  return { status, body };
}

test.each(['cut', 'hold'] as const)(
  'signalled while PostgreSQL is unavailable (%s), it exits with 0',
  async (how) => {
    const url = new URL(stack.url);
    const wire = await createWire(url.host);
    url.host = wire.address;
    const api = await runningApi({ SHUTDOWN_DELAY: '0s' }, url.href);
    const list = (): Promise<Response> =>
      fetch(`${api.origin}/v1/articles`, { headers: { authorization: `Bearer ${tenant.secretKey}` } });
    expect((await list()).status).toBe(200);
    if (how === 'cut') await wire.cut();
    else for (const direction of ['requests', 'answers'] as const) wire.hold(direction);
    expect(await api.stop()).toBe(0);
    await wire.cut();
  },
);

test('signalled during the start, it ends at once', async () => {
  const codes: (number | null)[] = [];
  for (let afterMs = 50; afterMs <= 1_250; afterMs += 300) {
    const api = await spawnApi(settings({ SHUTDOWN_DELAY: '0s' }));
    api.working.catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, afterMs));
    codes.push(await api.stop());
  }
  // Null if Node itself was not yet running, and the signal ended it.
  expect(codes.filter((code) => code !== null && code !== 0)).toEqual([]);
});

test('requests that exceed the limit are aborted', async () => {
  const server = createServer(() => {});
  const drain = new Drain();
  drain.watch(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const hanging = closed(origin, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(server, 'request');
  expect(await drain.run(server, { pauseMs: 0, limitMs: 300 })).toBe(false);
  await hanging;
});
