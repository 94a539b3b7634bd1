import { linkSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readJson } from '../../runtime/home.ts';
import { StartError } from './home.ts';
import { identityOf, isRunning, until } from './processes.ts';
import type { ProcessIdentity } from './processes.ts';

const PATIENCE_MS = 4_000;

/**
 * Locks the data folder for this process. The lock of a dead holder is taken over, even if its pid now belongs to
 * another process.
 *
 * @returns releases the lock
 * @throws StartError naming the folder and the process that holds it, or why the folder cannot be used
 */
export async function takeHome(home: string, patienceMs = PATIENCE_MS): Promise<() => void> {
  const lock = join(home, 'lock.json');
  if (!(await takeWithin(home, lock, patienceMs))) {
    throw new StartError(
      `${home} is in use by process ${readJson<ProcessIdentity>(lock)?.pid ?? 'unknown'}. Stop that one first, or set PRESSWORK_HOME to another folder.`,
    );
  }
  return () => {
    if (readJson<ProcessIdentity>(lock)?.pid === process.pid) rmSync(lock, { force: true });
  };
}

async function takeWithin(home: string, lock: string, patienceMs: number): Promise<boolean> {
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    // A holder whose terminal was just closed is about to release the folder.
    return await until(() => take(lock), patienceMs);
  } catch (error) {
    throw new StartError(
      `PRESSWORK_HOME: ${home} cannot be used (${(error as NodeJS.ErrnoException).code}).`,
    );
  }
}

function take(lock: string): boolean {
  const holder = readJson<ProcessIdentity>(lock);
  if (holder !== null && isRunning(holder)) return false;
  const own = `${lock}.${process.pid}`;
  const aside = `${own}.stale`;
  try {
    // Another process may have replaced the same stale lock in the meantime, so the moved file is checked.
    renameSync(lock, aside);
    const moved = readJson<ProcessIdentity>(aside);
    if (moved !== null && isRunning(moved)) linkSync(aside, lock);
  } catch {
    // There is no lock, or another start was faster: the link decides.
  }
  writeFileSync(own, JSON.stringify(identityOf(process.pid)), { mode: 0o600 });
  try {
    linkSync(own, lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  } finally {
    rmSync(own, { force: true });
    rmSync(aside, { force: true });
  }
}
