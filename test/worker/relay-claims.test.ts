import type { Client } from '@temporalio/client';
import { claimMessages } from '../../db/outbox.ts';
import type { ClaimedRow, OutboxMessage } from '../../db/outbox.ts';
import { newId } from '../../domain/kernel/ids.ts';
import { workflowMessage } from '../../domain/kernel/workflow-messages.ts';
import { buildSite, buildTenant } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { NEVER_MS, startRelayStack } from '../support/relay.ts';
import type { RelayStack } from '../support/relay.ts';
import { startTemporal } from '../support/temporal.ts';
import type { TestTemporal } from '../support/temporal.ts';

let temporal: TestTemporal;
let stack: RelayStack;

beforeAll(async () => {
  temporal = await startTemporal();
});
afterAll(() => temporal.close());
beforeEach(async () => {
  stack = await startRelayStack(temporal);
});
afterEach(() => stack.close());

const ofSite = (siteId: string): OutboxMessage =>
  workflowMessage('scheduled-publish', { articleId: newId(), siteId, signal: 'cancel' });
const many = (count: number, siteId: string): OutboxMessage[] =>
  Array.from({ length: count }, () => ofSite(siteId));

const claim = (underWay: ReadonlyMap<string, number> = new Map(), ofOrganisation = 60) =>
  claimMessages(stack.db, new Date(), { count: 100, ofOrganisation, underWay });
const siteOf = ({ payload }: ClaimedRow): string => (payload as { siteId: string }).siteId;

test('a flood of messages of one Site does not delay a later message of another', async () => {
  const flooding = newId();
  const others = [newId(), newId(), newId()];
  await stack.leave(...many(300, flooding));
  await stack.leave(...others.map(ofSite));
  const claimed = await claim();
  expect(claimed.map(siteOf)).toEqual(expect.arrayContaining(others));
  const flood = claimed.filter((message) => siteOf(message) === flooding);
  expect([flood.length, new Set(flood.map(({ full }) => full))]).toEqual([25, new Set([true])]);
});

test('the Sites of an organisation share what one Site of another has', async () => {
  const [one, other] = await Promise.all([buildTenant(stack.db), buildTenant(stack.db)]);
  const sites = [one.siteId];
  for (let number = 0; number < 4; number += 1) sites.push(await buildSite(stack.db, one.organisationId));
  for (const site of [...sites, other.siteId]) await stack.leave(...many(60, site));
  const claimed = await claim();
  const ofOther = claimed.filter(({ organisation }) => organisation === other.organisationId);
  expect([claimed.length, ofOther.length]).toEqual([100, 50]);
  expect(new Set(claimed.map(siteOf)).size).toBe(6);
});

test('an organisation has no more under way than its share', async () => {
  const { siteId, organisationId } = await buildTenant(stack.db);
  await stack.leave(...many(100, siteId));
  expect(await claim(new Map([[organisationId, 50]]))).toHaveLength(10);
  expect(await claim(new Map([[organisationId, 60]]))).toEqual([]);
});

test('concurrent relays take different messages, which are due again when their claim has ended', async () => {
  await stack.leave(...many(150, newId()));
  const claims = await Promise.all([claim(), claim()]);
  const ids = claims.flat().map(({ id }) => id);
  expect([ids.length, new Set(ids).size]).toEqual([120, 120]);
  expect(await claim()).toHaveLength(30);
  expect(await claim()).toEqual([]);
  await stack.db.pool.query(`update outbox set available_at = available_at - interval '8 seconds'`);
  expect(await claim()).toHaveLength(60);
});

test('if there are more Sites than a claim has rows, each gets its turn', async () => {
  const sites = Array.from({ length: 150 }, () => newId());
  await stack.leave(...sites.flatMap((site) => many(2, site)));
  stack.startRelay(temporal.client, NEVER_MS).wake();
  await stack.emptied();
});

test('a message that fails in a full batch does not make the rest wait for a poll', async () => {
  const site = newId();
  const [bad, ...good] = many(150, site);
  await stack.leave(bad!, ...good);
  await stack.db.pool.query(`update outbox set kind = 'unknown' where workflow_id = $1`, [bad!.workflow_id]);
  stack.startRelay(temporal.client, NEVER_MS);
  await eventually('all others are handed over', async () => (await stack.outbox()).length === 1);
  expect(await stack.outbox()).toMatchObject([{ workflow_id: bad!.workflow_id }]);
});

test('what one organisation has too much waits for itself, and no transaction is open meanwhile', async () => {
  const [noisy, quiet] = await Promise.all([buildTenant(stack.db), buildTenant(stack.db)]);
  const hanging = many(200, noisy.siteId);
  const ids = new Set(hanging.map(({ workflow_id }) => workflow_id));
  const { promise: end, resolve: endAll } = Promise.withResolvers<void>();
  let calls = 0;
  const client = {
    withDeadline: (_: number, call: () => Promise<void>) => call(),
    workflow: {
      getHandle: (id: string) => ({
        signal: async () => {
          if (!ids.has(id)) return;
          calls += 1;
          await end;
        },
      }),
    },
  } as unknown as Client;
  stack.atEnd(endAll);
  stack.startRelay(client);
  await stack.leave(...hanging);
  await eventually('its share is under way', () => calls === 20);
  const others = many(5, quiet.siteId);
  await stack.leave(...others);
  await eventually('those of the other are handed over', async () => {
    const left = await stack.outbox();
    return left.every(({ workflow_id }) => ids.has(workflow_id));
  });
  const { rows } = await stack.db.pool.query(
    `select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
  );
  expect([rows, calls]).toEqual([[], 20]);
  endAll();
  await stack.emptied();
});
