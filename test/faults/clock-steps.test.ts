import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from '../../runtime/home.ts';
import { survives } from './support/survive.ts';
import { startStack } from './support/stack.ts';
import type { Stack } from './support/stack.ts';

let stack: Stack;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'presswork-clock-'));
  const preload = join(root, 'test/faults/support/stepped-clock.mjs');
  stack = await startStack({
    env: { NODE_OPTIONS: `--import=${preload}`, STEPPED_CLOCK_FILE: join(folder, 'offsets.json') },
  });
});
afterAll(async () => {
  await stack.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Longer than the lease of a delivery. */
const STEP_MS = 20_000;
const WRONG_MS = 3_000;

/** Steps the clocks of API and worker at the same time. */
function step(offsets: Readonly<Partial<Record<'api' | 'worker', number>>>): void {
  const file = join(folder, 'offsets.json');
  writeFileSync(`${file}.new`, JSON.stringify(offsets));
  renameSync(`${file}.new`, file);
}

/** The API's time, read from an article that it creates. */
async function skewOfApi({ client }: Stack): Promise<number> {
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
  await survives(stack, `clock steps: ${how}`, async () => {
    step(offsets);
    await sleep(500);
    // The step has actually happened.
    const skew = await skewOfApi(stack);
    expect(Math.abs(skew - (offsets.api ?? 0))).toBeLessThan(STEP_MS / 2);
    await sleep(WRONG_MS);
    step({});
    await sleep(200);
  });
});
