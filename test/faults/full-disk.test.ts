import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { survives } from './support/survive.ts';
import { startStack } from './support/stack.ts';
import type { Stack } from './support/stack.ts';

/** The data folder has its own file system, which only root can create, on Linux. */
const volume = mkdtempSync(join(tmpdir(), 'presswork-full-'));
const mounted =
  process.platform === 'linux' &&
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=400m,mode=755', 'tmpfs', volume]).status === 0;
const onVolume = mounted ? test : test.skip;
const ballast = join(volume, 'ballast');

let stack: Stack;
beforeAll(async () => {
  if (!mounted) return;
  mkdirSync(join(volume, 'home'));
  stack = await startStack({ home: join(volume, 'home') });
});
afterAll(async () => {
  if (mounted) {
    await stack.close();
    execFileSync('umount', ['-l', volume]);
  }
  rmSync(volume, { recursive: true, force: true });
});

const FULL_MS = 6_000;

/** Fills the disk to the last byte. @returns whether there was any space */
function fill(): boolean {
  for (let size = 1_048_576, taken = false; ;) {
    try {
      appendFileSync(ballast, Buffer.alloc(size));
      taken = true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      if (size === 1) return taken;
      size = size > 4_096 ? size >> 2 : 1;
    }
  }
}

onVolume('the disk of the data folder is full, and then has room again', async () => {
  const { counts } = stack.client;
  const before = counts.unavailable + counts.disconnected;
  await survives(
    stack,
    'disk full',
    async () => {
      for (const end = Date.now() + FULL_MS; Date.now() < end; await sleep(50)) fill();
      rmSync(ballast);
    },
    // A server that cannot write may end, and is restarted.
    ['PostgreSQL', 'Temporal', 'S3'],
  );
  // The disk was actually full.
  expect(counts.unavailable + counts.disconnected).toBeGreaterThan(before);
});
