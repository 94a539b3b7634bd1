import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { survives } from './support/survive.ts';
import { startWorld } from './support/world.ts';
import type { World } from './support/world.ts';

/** A file system of its own for the data folder: only root may make one, on Linux. */
const volume = mkdtempSync(join(tmpdir(), 'presswork-full-'));
const mounted =
  process.platform === 'linux' &&
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=400m,mode=755', 'tmpfs', volume]).status === 0;
const onVolume = mounted ? test : test.skip;
const ballast = join(volume, 'ballast');

let world: World;
beforeAll(async () => {
  if (!mounted) return;
  mkdirSync(join(volume, 'home'));
  world = await startWorld({ home: join(volume, 'home') });
});
afterAll(async () => {
  if (mounted) {
    await world.close();
    execFileSync('umount', ['-l', volume]);
  }
  rmSync(volume, { recursive: true, force: true });
});

const FULL_MS = 6_000;

/** Takes what is left, to the last byte. @returns whether there was anything */
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
  const { counts } = world.client;
  const before = counts.unavailable + counts.disconnected;
  await survives(
    world,
    'disk full',
    async () => {
      for (const end = Date.now() + FULL_MS; Date.now() < end; await sleep(50)) fill();
      rmSync(ballast);
    },
    // A server that cannot write may end, and is started again.
    ['PostgreSQL', 'Temporal', 'S3'],
  );
  // It was full indeed.
  expect(counts.unavailable + counts.disconnected).toBeGreaterThan(before);
});
