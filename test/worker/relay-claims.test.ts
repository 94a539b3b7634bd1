import { claimMessages } from '../../db/outbox.ts';
import type { OutboxMessage } from '../../db/outbox.ts';
import { newId } from '../../domain/ids.ts';
import { workflowMessage } from '../../domain/workflow-messages.ts';
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

test('a flood of messages of one Site does not delay a later message of another', async () => {
  const flooding = newId();
  const others = [newId(), newId(), newId()];
  await stack.leave(...many(300, flooding));
  await stack.leave(...others.map(ofSite));
  const { messages, more } = await stack.db.transaction((tx) => claimMessages(tx, new Date(), 100));
  const sites = messages.map(({ payload }) => (payload as { siteId: string }).siteId);
  expect(sites).toEqual(expect.arrayContaining(others));
  expect(sites.filter((site) => site === flooding)).toHaveLength(25);
  expect(more).toBe(true);
});

test('a single Site gets a whole claim, and concurrent relays take different messages', async () => {
  await stack.leave(...many(250, newId()));
  await stack.db.transaction(async (first) => {
    const one = await claimMessages(first, new Date(), 100);
    const other = await stack.db.transaction((second) => claimMessages(second, new Date(), 100));
    const ids = [...one.messages, ...other.messages].map(({ id }) => id);
    expect([one.messages.length, other.messages.length, new Set(ids).size]).toEqual([100, 100, 200]);
  });
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
