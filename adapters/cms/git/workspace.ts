import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PREFIX = 'presswork-git-';
/** A folder of this age was left by a process that died. No push takes that long. */
const LEFT_MS = 60 * 60_000;

/** Runs work in a temporary folder that only this user can read, and removes it. */
export async function inWorkspace<T>(work: (folder: string) => Promise<T>): Promise<T> {
  await removeLeft();
  const folder = await mkdtemp(join(tmpdir(), PREFIX));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function removeLeft(): Promise<void> {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(PREFIX));
  for (const name of names) {
    const folder = join(tmpdir(), name);
    const { mtimeMs = Date.now() } = await stat(folder).catch(() => ({ mtimeMs: undefined }));
    if (Date.now() - mtimeMs > LEFT_MS) await rm(folder, { recursive: true, force: true });
  }
}

export async function sizeOf(folder: string): Promise<number> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  let sum = 0;
  for (const file of files) {
    if (!file.isFile()) continue;
    const { size } = await stat(join(file.parentPath, file.name)).catch(() => ({ size: 0 }));
    sum += size;
  }
  return sum;
}
