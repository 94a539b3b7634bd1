import { setTimeout as sleep } from 'node:timers/promises';
import { survives } from './support/survive.ts';
import { startStack } from './support/stack.ts';
import type { Stack } from './support/stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.close());

/** The duration and the interval, and how many are cut at least, however long a busy machine takes for them. */
const CUTTING_MS = 4_000;
const EVERY_MS = 40;
const LEAST = 25;

/** Terminates the product's backends, busy ones before idle ones. */
const CUT = `
  select pg_terminate_backend(pid) from pg_stat_activity
  where application_name in ('presswork-api', 'presswork-worker', 'presswork-listener')
  order by state = 'idle', random() limit 1`;

test('connections to the database cut in the middle of statements, for four seconds', async () => {
  let cut = 0;
  await survives(stack, 'connections cut', async () => {
    for (const end = Date.now() + CUTTING_MS; Date.now() < end || cut < LEAST; await sleep(EVERY_MS))
      cut += (await stack.db.pool.query(CUT)).rowCount ?? 0;
  });
});

test('a backend killed by the system, after which PostgreSQL terminates all others and recovers', async () => {
  await survives(stack, 'kill -9 of a backend', async () => {
    const { rows } = await stack.db.pool.query<{ pid: number }>(
      `select pid from pg_stat_activity where application_name = 'presswork-api' order by state = 'idle' limit 1`,
    );
    process.kill(rows[0]?.pid as number, 'SIGKILL');
    await sleep(500);
  });
});
