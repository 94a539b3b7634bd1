import type { DeliverySession } from '../../activities/webhook-endpoint/session.ts';
import { createGuardedClient } from '../../adapters/http/guarded-client.ts';
import { Names } from '../../adapters/http/names.ts';
import { dnsLookup } from '../../adapters/http/resolve.ts';
import type { Lookup } from '../../adapters/http/resolve.ts';
import { closeNameServers, knowing, nameServer } from '../adapters/http/name-server.ts';
import { eventually } from '../support/eventually.ts';
import { startWebhooks } from '../support/webhooks.ts';
import type { WebhookStack } from '../support/webhooks.ts';

let stack: WebhookStack;
const sessions: DeliverySession[] = [];

beforeEach(async () => {
  stack = await startWebhooks();
});
afterEach(async () => {
  await Promise.all(sessions.splice(0).map((session) => session.drain(12_000)));
  closeNameServers();
  await stack.close();
});

interface Endpoint {
  readonly id: string;
  readonly siteId: string;
}

/** Sends an event to a Site's only endpoint. @returns how long it took to arrive, in milliseconds */
async function latency(session: DeliverySession, { id, siteId }: Endpoint): Promise<number> {
  const before = (await stack.attempts(id)).length;
  const begun = performance.now();
  await stack.emit(1, siteId);
  let woken = -Infinity;
  const arrived = async (): Promise<boolean> => {
    // What is handed back is due again a little later. In a worker, the endpoint's workflow then wakes the session.
    if (performance.now() - woken > 500) session.wake(id);
    else return (await stack.attempts(id)).length > before;
    woken = performance.now();
    return false;
  };
  await eventually('it has arrived', arrived, 2);
  return performance.now() - begun;
}

/** Events of a Site, one after another. @returns how long each took to arrive, in milliseconds, sorted */
async function latencies(session: DeliverySession, endpoint: Endpoint, count: number): Promise<number[]> {
  const took: number[] = [];
  while (took.length < count) took.push(await latency(session, endpoint));
  return took.toSorted((one, other) => one - other);
}

/** The only endpoint of a new Site, under a name of the tests' DNS server. */
async function live() {
  const tenant = await stack.newTenant();
  const receiver = await stack.receiver();
  stack.allowedHosts.add(`live.example:${receiver.port}`);
  const { id } = await stack.endpoint(`http://live.example:${receiver.port}/`, {}, tenant.secretKey);
  return { id, siteId: tenant.siteId, key: tenant.secretKey };
}

const p99 = (sorted: readonly number[]): number => sorted[Math.ceil(sorted.length * 0.99) - 1]!;

test('fifty endpoints of five Sites whose names hang neither delay another Site’s deliveries nor raise its failure counter', async () => {
  const server = await nameServer(knowing({ 'live.example': ['127.0.0.1'] }));
  const lookup: Lookup = dnsLookup([server.address]);
  const names = new Names({ lookup, operatorsLookup: lookup });
  const http = createGuardedClient({ allowedHosts: stack.allowedHosts, names });
  const session = stack.newSession({ http });
  sessions.push(session);
  const [alone, beside] = [await live(), await live()];
  const quiet = p99(await latencies(session, alone, 40));

  const hanging: Endpoint[] = [];
  for (let site = 0; site < 5; site += 1) {
    const { secretKey, siteId } = await stack.newTenant();
    for (let number = 0; number < 10; number += 1) {
      const url = `https://hangs-${site}-${number}.example/`;
      hanging.push({ id: (await stack.endpoint(url, {}, secretKey)).id, siteId });
    }
    await stack.emit(20, siteId);
  }
  const askForNames = async (): Promise<boolean> => {
    // In a worker, the workflow of an endpoint that got no slot in time wakes the session again.
    for (const { id } of hanging) session.wake(id);
    // One endpoint goes on answering, so that a slow machine does not take fifty failures for an outage of its own network.
    await latency(session, alone);
    return new Set(server.asked).size > hanging.length;
  };
  await eventually('their names are asked for', askForNames, 250);
  const noisy = p99(await latencies(session, beside, 40));
  // A delivery that waits for one of these look-ups waits for 5 s.
  expect(noisy).toBeLessThan(Math.max(2 * quiet, quiet + 1_000));
  const seen = await stack.api.request('GET', `/webhooks/${beside.id}`, { key: beside.key });
  expect(seen.data).toMatchObject({ enabled: true, consecutive_failures: 0 });
  const rows = await stack.attempts(beside.id);
  expect(rows.every(({ status }) => status === 'succeeded')).toBe(true);
  await http.close();
}, 240_000);

test('an attempt without a slot for its DNS look-up is due again under the same number, and leaves no row', async () => {
  const lookup: Lookup = (name, signal) =>
    name.startsWith('hangs')
      ? new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      : Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
  // One look-up at a time: a hanging one occupies the slot for four seconds, longer than others wait for it.
  const names = new Names({ lookup, operatorsLookup: lookup, perShare: 1, limitMs: 4_000, keepMs: 0 });
  const http = createGuardedClient({ allowedHosts: stack.allowedHosts, names });
  const session = stack.newSession({ http });
  sessions.push(session);
  const { siteId, secretKey } = await stack.newTenant();
  const { id: hangs } = await stack.endpoint('https://hangs.example/', {}, secretKey);
  const { id: waits } = await stack.endpoint('https://waits.example/', {}, secretKey);
  await stack.emit(1, siteId);
  session.wake(hangs);
  await new Promise((resolve) => setTimeout(resolve, 300));
  await session.run(waits);
  await eventually('it is handed back', async () => {
    const { rows } = await stack.api.db.pool.query('select * from webhook_queue where endpoint_id = $1', [
      waits,
    ]);
    return (
      rows.length === 1 &&
      rows[0].delivery_id === null &&
      rows[0].attempt === 1 &&
      rows[0].due_at > stack.clock.now()
    );
  });
  expect(await stack.attempts(waits)).toEqual([]);
  await session.drain(12_000);
  expect(await stack.attempts(hangs)).toMatchObject([{ error: 'dns' }]);
  await http.close();
}, 120_000);
