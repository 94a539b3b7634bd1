import { survives } from './support/survive.ts';
import { startStack } from './support/stack.ts';
import type { Stack } from './support/stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ pace: { pauses: 4 } });
});
afterAll(() => stack.close());

const AWAY_MS = 60_000;

test('Temporal unavailable for a minute: every request is answered, and waiting work is done once it is back', async () => {
  const unavailable = stack.client.counts.unavailable;
  await survives(stack, 'Temporal unavailable', () => stack.product.awayFor('Temporal', AWAY_MS), [
    'Temporal',
  ]);
  // A request never talks to Temporal.
  expect(stack.client.counts.unavailable).toBe(unavailable);
});
