import { mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endForgotten } from './postgres.ts';
import { startOf } from './processes.ts';

/** Linux's file system in memory. */
const MEMORY = '/dev/shm';
/** The space that has to be free there: a run takes one to two GB. */
const ROOM = 6 * 2 ** 30;
const named = /^presswork-test-(\d+)-/;

/**
 * A folder for the database cluster of a test run, which mostly writes copies of databases: in memory if there is room,
 * otherwise on disk. First it removes those of runs that were killed, with the server that still runs on one.
 */
export async function createClusterFolder(): Promise<string> {
  const parent = freeBytes(MEMORY) >= ROOM ? MEMORY : tmpdir();
  for (const folder of readdirSync(parent)
    .filter(isLeft)
    .map((name) => join(parent, name))) {
    await endForgotten(folder);
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  }
  return mkdtempSync(join(parent, `presswork-test-${process.pid}-`));
}

const isLeft = (name: string): boolean => {
  const pid = named.exec(name)?.[1];
  return pid !== undefined && startOf(Number(pid)) === null;
};

function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return 0;
  }
}
