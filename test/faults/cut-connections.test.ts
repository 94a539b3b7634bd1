import { setTimeout as sleep } from 'node:timers/promises';
import { survives } from './support/survive.ts';
import { startWorld } from './support/world.ts';
import type { World } from './support/world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

/** For how long, and how often. */
const CUTTING_MS = 4_000;
const EVERY_MS = 40;

/** Ends backends of the product's own, those in the middle of something before those that are idle. */
const CUT = `
  select pg_terminate_backend(pid) from pg_stat_activity
  where application_name in ('presswork-api', 'presswork-worker', 'presswork-listener')
  order by state = 'idle', random() limit 1`;

test('connections to the database cut in the middle of statements, for four seconds', async () => {
  let cut = 0;
  await survives(world, 'connections cut', async () => {
    for (const end = Date.now() + CUTTING_MS; Date.now() < end; await sleep(EVERY_MS))
      cut += (await world.db.pool.query(CUT)).rowCount ?? 0;
  });
  expect(cut).toBeGreaterThan(CUTTING_MS / EVERY_MS / 4);
});

test('a backend killed by the system, for which PostgreSQL ends all the others and recovers', async () => {
  await survives(world, 'kill -9 of a backend', async () => {
    const { rows } = await world.db.pool.query<{ pid: number }>(
      `select pid from pg_stat_activity where application_name = 'presswork-api' order by state = 'idle' limit 1`,
    );
    process.kill(rows[0]?.pid as number, 'SIGKILL');
    await sleep(500);
  });
});
