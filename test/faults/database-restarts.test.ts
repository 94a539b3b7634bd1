import { survives } from './support/survive.ts';
import { startWorld } from './support/world.ts';
import type { World } from './support/world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

test.each([
  ['fast, which breaks every connection', 'SIGINT'],
  ['immediate, which leaves it to recover from its log', 'SIGQUIT'],
] as const)('PostgreSQL restarted: %s', async (how, signal) => {
  await survives(world, `PostgreSQL restarted, ${how}`, () => world.product.end('PostgreSQL', signal), [
    'PostgreSQL',
  ]);
});

test('PostgreSQL away for six seconds', async () => {
  await survives(world, 'PostgreSQL away', () => world.product.awayFor('PostgreSQL', 6_000), ['PostgreSQL']);
});
