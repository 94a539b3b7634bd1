import { startWorld } from './support/world.ts';
import type { World } from './support/world.ts';
import { survives } from './support/survive.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

test.each(['api', 'worker', 'Temporal', 'PostgreSQL', 'S3'] as const)('kill -9 of %s', async (name) => {
  await survives(world, `kill -9 of ${name}`, () => world.product.end(name), [name]);
});
