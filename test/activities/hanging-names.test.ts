import type { DeliverySession } from '../../activities/webhook-endpoint/session.ts';
import { createGuardedClient } from '../../adapters/http/guarded-client.ts';
import { Names } from '../../adapters/http/names.ts';
import { dnsLookup } from '../../adapters/http/resolve.ts';
import type { Lookup } from '../../adapters/http/resolve.ts';
import { closeNameServers, knowing, nameServer } from '../adapters/http/name-server.ts';
import { startOnSharedDatabase } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { DRAINED_MS, patient, startWebhooks } from '../support/webhooks.ts';
import type { WebhookStack } from '../support/webhooks.ts';

let stack: WebhookStack;
const sessions: DeliverySession[] = [];
/** Each ends what a test left hanging. */
const ends: (() => void)[] = [];

beforeEach(async () => {
  stack = await startWebhooks(startOnSharedDatabase);
});
afterEach(async () => {
  for (const end of ends.splice(0)) end();
  await Promise.all(sessions.splice(0).map((session) => session.drain(DRAINED_MS)));
  closeNameServers();
  await stack.close();
});

interface Endpoint {
  readonly id: string;
  readonly siteId: string;
}

/** Sends an event to a Site's only endpoint, and waits until it has arrived. */
async function send(session: DeliverySession, { id, siteId }: Endpoint): Promise<void> {
  const before = (await stack.attempts(id)).length;
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
}

/** The only endpoint of a new Site, under a name of the tests' DNS server. */
async function live() {
  const tenant = await stack.newTenant();
  const receiver = await stack.receiver();
  stack.allowedHosts.add(`live.example:${receiver.port}`);
  const { id } = await stack.endpoint(`http://live.example:${receiver.port}/`, {}, tenant.secretKey);
  return { id, siteId: tenant.siteId, key: tenant.secretKey };
}

/** Look-ups of names that hang until `end`, so that whoever waits for one of them waits for ever. */
function hanging(others: Lookup): { lookup: Lookup; asked: Set<string>; end: () => void } {
  const asked = new Set<string>();
  const { promise: over, reject } = Promise.withResolvers<never>();
  over.catch(() => {});
  const end = (): void => reject(new Error('the test is over'));
  ends.push(end);
  const lookup: Lookup = async (name, signal) => {
    if (!name.startsWith('hangs')) return others(name, signal);
    asked.add(name);
    // The DNS server does not answer, and after some seconds it is asked no more.
    await others(name, signal).catch(() => []);
    return over;
  };
  return { lookup, asked, end };
}

test('fifty endpoints of five Sites whose names hang neither delay another Site’s deliveries nor raise its failure counter', async () => {
  const server = await nameServer(knowing({ 'live.example': ['127.0.0.1'] }));
  const { lookup, asked, end } = hanging(dnsLookup([server.address]));
  const names = new Names({ lookup, operatorsLookup: lookup, limitMs: 600_000 });
  const http = createGuardedClient({ allowedHosts: stack.allowedHosts, names });
  const session = stack.newSession({ http: patient(http) });
  sessions.push(session);
  const beside = await live();

  const endpoints: Endpoint[] = [];
  for (let site = 0; site < 5; site += 1) {
    const { secretKey, siteId } = await stack.newTenant();
    for (let number = 0; number < 10; number += 1) {
      const url = `https://hangs-${site}-${number}.example/`;
      endpoints.push({ id: (await stack.endpoint(url, {}, secretKey)).id, siteId });
    }
    // A Site that holds more slots than are free gets no more: these all find one, whoever is first.
    await stack.emit(10, siteId);
  }
  const askForNames = (): boolean => {
    // In a worker, the workflow of an endpoint that got no slot in time wakes the session again.
    for (const { id } of endpoints) session.wake(id);
    return asked.size === endpoints.length;
  };
  await eventually('their names are asked for', askForNames, 250);
  for (let count = 0; count < 40; count += 1) await send(session, beside);
  // None of the look-ups has ended.
  for (const { id } of endpoints) expect(await stack.attempts(id)).toEqual([]);
  const seen = await stack.api.request('GET', `/webhooks/${beside.id}`, { key: beside.key });
  expect(seen.data).toMatchObject({ enabled: true, consecutive_failures: 0 });
  const rows = await stack.attempts(beside.id);
  expect(rows.every(({ status }) => status === 'succeeded')).toBe(true);
  session.stop();
  end();
  await session.drain(DRAINED_MS);
  await http.close();
});

test('an attempt without a slot for its DNS look-up is due again under the same number, and leaves no row', async () => {
  const others: Lookup = async (name) => {
    if (name.startsWith('hangs')) throw new Error('nobody answers');
    return [{ address: '127.0.0.1', family: 4 }];
  };
  const { lookup, asked, end } = hanging(others);
  // One look-up at a time: the hanging one keeps the slot.
  const names = new Names({ lookup, operatorsLookup: lookup, perShare: 1, limitMs: 600_000, keepMs: 0 });
  const http = createGuardedClient({ allowedHosts: stack.allowedHosts, names });
  const session = stack.newSession({ http: patient(http) });
  sessions.push(session);
  const { siteId, secretKey } = await stack.newTenant();
  const { id: hangs } = await stack.endpoint('https://hangs.example/', {}, secretKey);
  const { id: waits } = await stack.endpoint('https://waits.example/', {}, secretKey);
  await stack.emit(1, siteId);
  session.wake(hangs);
  await eventually('the slot is taken', () => asked.size === 1);
  stack.clock.freeze();
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
  end();
  await session.drain(DRAINED_MS);
  expect(await stack.attempts(hangs)).toMatchObject([{ error: 'dns' }]);
  await http.close();
});
