import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from '../../dev/home.ts';
import { survives } from './support/survive.ts';
import { startWorld } from './support/world.ts';
import type { World } from './support/world.ts';

let world: World;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'presswork-clock-'));
  const preload = join(root, 'test/faults/support/stepped-clock.mjs');
  world = await startWorld({
    env: { NODE_OPTIONS: `--import=${preload}`, STEPPED_CLOCK_FILE: join(folder, 'offsets.json') },
  });
});
afterAll(async () => {
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

/** More than a lease of a delivery lasts. */
const STEP_MS = 20_000;
const WRONG_MS = 3_000;

/** Steps the clocks of API and worker, all at once. */
function step(offsets: Readonly<Partial<Record<'api' | 'worker', number>>>): void {
  const file = join(folder, 'offsets.json');
  writeFileSync(`${file}.new`, JSON.stringify(offsets));
  renameSync(`${file}.new`, file);
}

/** What the API takes for now, by the time an article of its own making bears. */
async function skewOfApi({ client }: World): Promise<number> {
  const { data } = await client.send('POST', '/categories', {
    body: { name: `At ${Date.now()}` },
    idempotent: true,
    answers: [201],
  });
  return Date.parse(data.created_at) - Date.now();
}

test.each([
  ['the worker goes forwards, and back', { worker: STEP_MS }],
  ['the worker goes backwards, and forwards again', { worker: -STEP_MS }],
  ['the API goes forwards, and back', { api: STEP_MS }],
  ['the API goes backwards, and the worker forwards', { api: -STEP_MS, worker: STEP_MS }],
])('clock steps: %s', async (how, offsets: { api?: number; worker?: number }) => {
  await survives(world, `clock steps: ${how}`, async () => {
    step(offsets);
    await sleep(500);
    // The step has been made at all.
    const skew = await skewOfApi(world);
    expect(Math.abs(skew - (offsets.api ?? 0))).toBeLessThan(STEP_MS / 2);
    await sleep(WRONG_MS);
    step({});
    await sleep(200);
  });
});
