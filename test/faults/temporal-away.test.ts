import { survives } from './support/survive.ts';
import { startWorld } from './support/world.ts';
import type { World } from './support/world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ pauses: 4 });
});
afterAll(() => world.close());

const AWAY_MS = 60_000;

test('Temporal away for a minute: every request is answered, and what waited is done when it is back', async () => {
  const unavailable = world.client.counts.unavailable;
  await survives(world, 'Temporal away', () => world.product.awayFor('Temporal', AWAY_MS), ['Temporal']);
  // A request never talks to Temporal.
  expect(world.client.counts.unavailable).toBe(unavailable);
});
