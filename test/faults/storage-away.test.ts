import { setTimeout as sleep } from 'node:timers/promises';
import { survives } from './support/survive.ts';
import { startWorld } from './support/world.ts';
import type { World } from './support/world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

test('S3 away: what needs no bytes goes on', async () => {
  await survives(world, 'S3 away', () => world.product.awayFor('S3', 4_000), ['S3']);
});

test('S3 that takes connections and answers nothing', async () => {
  await survives(world, 'S3 hangs', async () => {
    const pid = world.product.pid('S3') as number;
    process.kill(pid, 'SIGSTOP');
    await sleep(6_000);
    process.kill(pid, 'SIGCONT');
  });
});
