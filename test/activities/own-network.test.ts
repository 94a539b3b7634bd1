import type { DeliverySession } from '../../activities/webhook-endpoint/session.ts';
import type { GuardedClient } from '../../adapters/http/guarded-client.ts';
import { startOnSharedDatabase } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { DRAINED_MS, startWebhooks } from '../support/webhooks.ts';
import type { WebhookStack } from '../support/webhooks.ts';

/** Between two probes of a session without a network (activities/webhook-endpoint/egress.ts). */
const PROBE_MS = 250;

let stack: WebhookStack;

beforeEach(async () => {
  stack = await startWebhooks(startOnSharedDatabase);
});
afterEach(() => stack.close());

/** A session whose network can be cut: then every request ends as without a network. */
function onCuttable(): { session: DeliverySession; network: { up: boolean; attempts: number } } {
  const network = { up: true, attempts: 0 };
  const { http } = stack.session.ports;
  const cuttable: GuardedClient = {
    ...http,
    async request(request) {
      if (network.up) return http.request(request);
      network.attempts += 1;
      await new Promise((resolve) => setTimeout(resolve, 20));
      return { outcome: 'failure', error: 'connection', durationMs: 20, detail: 'ENETUNREACH', ours: false };
    },
  };
  return { session: stack.newSession({ http: cuttable }), network };
}

interface Sent {
  readonly id: string;
  readonly siteId: string;
  readonly key: string;
}

async function endpoints(sites: number, each: number, url: () => Promise<string>): Promise<Sent[]> {
  const made: Sent[] = [];
  for (let site = 0; site < sites; site += 1) {
    const { secretKey: key, siteId } = await stack.newTenant();
    for (let number = 0; number < each; number += 1)
      made.push({ id: (await stack.endpoint(await url(), {}, key)).id, siteId, key });
  }
  return made;
}

const shown = async ({ id, key }: Sent) => (await stack.api.request('GET', `/webhooks/${id}`, { key })).data;
const areDisabled = async (made: readonly Sent[]): Promise<boolean> =>
  (await Promise.all(made.map(shown))).every(({ enabled }) => !enabled);
const queued = async (): Promise<number> => (await stack.waiting()).length;

test('while no receiver is reached, no endpoint is disabled and hardly anything is sent; everything arrives when the network is back', async () => {
  const { session, network } = onCuttable();
  const receiver = await stack.receiver();
  const all = await endpoints(6, 5, async () => receiver.url);
  const sites = [...new Set(all.map(({ siteId }) => siteId))];
  network.up = false;
  for (const siteId of sites) await stack.emit(20, siteId);
  const run = () => Promise.all(all.map(({ id }) => session.run(id)));
  await eventually('the network is known to be down', async () => {
    await run();
    return session.held;
  });
  await session.drain(DRAINED_MS);
  const before = network.attempts;
  const then = performance.now();
  // A few attempts probe, so that the return of the network is noticed.
  await eventually('it is probed', async () => {
    await run();
    return network.attempts - before > 5;
  });
  expect(network.attempts - before).toBeLessThanOrEqual((performance.now() - then) / PROBE_MS + 1);
  for (const endpoint of all) expect(await shown(endpoint)).toMatchObject({ enabled: true });
  expect(await queued()).toBe(600);

  network.up = true;
  await eventually(
    'receivers can be reached again',
    async () => {
      await run();
      await session.drain(DRAINED_MS);
      return !session.held;
    },
    300,
  );
  await eventually(
    'everything has arrived',
    async () => {
      // Attempts that failed before the outage was noticed are retried in ten seconds.
      stack.clock.advance(15_000);
      await run();
      await session.drain(DRAINED_MS);
      return (await queued()) === 0;
    },
    100,
  );
  expect(session.held).toBe(false);
  expect(new Set(receiver.seen.map(({ headers }) => headers['service-delivery'])).size).toBe(600);
  for (const endpoint of all)
    expect(await shown(endpoint)).toMatchObject({ enabled: true, consecutive_failures: 0 });
}, 240_000);

test('ten dead endpoints of one Site are disabled after twelve failures each, while other Sites are reached', async () => {
  const dead = await stack.receiver((_, response) => void response.destroy());
  const receiver = await stack.receiver();
  const [gone, well] = [
    await endpoints(1, 10, async () => dead.url),
    await endpoints(3, 1, async () => receiver.url),
  ];
  await stack.emit(15, gone[0]!.siteId);
  await eventually('they are disabled', async () => {
    for (const { siteId } of well) await stack.emit(1, siteId);
    await Promise.all([...gone, ...well].map(({ id }) => stack.session.run(id)));
    await stack.session.drain(DRAINED_MS);
    return areDisabled(gone);
  });
  expect(stack.session.held).toBe(false);
  for (const endpoint of gone)
    expect(await shown(endpoint)).toMatchObject({ enabled: false, consecutive_failures: 12 });
  for (const endpoint of well)
    expect(await shown(endpoint)).toMatchObject({ enabled: true, consecutive_failures: 0 });
}, 240_000);

test('endpoints of many Sites that die while others answer are disabled, however many there are', async () => {
  const dead = await stack.receiver((_, response) => void response.destroy());
  const receiver = await stack.receiver();
  const [gone, well] = [
    await endpoints(6, 1, async () => dead.url),
    await endpoints(1, 1, async () => receiver.url),
  ];
  const healthy = well[0]!;
  // One after another, each while another receiver answers.
  for (const { id, siteId } of gone) {
    await stack.emit(1, siteId);
    await stack.deliver(id);
    await stack.emit(1, healthy.siteId);
    await stack.deliver(healthy.id);
  }
  for (const { siteId } of gone) await stack.emit(14, siteId);
  await eventually('they are disabled', async () => {
    await Promise.all(gone.map(({ id }) => stack.session.run(id)));
    await stack.session.drain(DRAINED_MS);
    return areDisabled(gone);
  });
  expect(stack.session.held).toBe(false);
  for (const endpoint of gone)
    expect(await shown(endpoint)).toMatchObject({ enabled: false, consecutive_failures: 12 });
}, 240_000);
