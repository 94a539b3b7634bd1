import { createHash } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';
import { root } from '../../runtime/home.ts';
import { StartError } from './home.ts';
import { cacheFolder } from './tools.ts';

/** The builds for all starts and clones that have the same sources. */
interface Build {
  /** Its folder in the cache. */
  readonly name: string;
  /** The files that it depends on, as patterns; the lock file stands for the packages. */
  readonly sources: readonly string[];
  /** Whether it is for this clone alone, because it knows its files by their whole paths. */
  readonly ofThisClone?: true;
  /** Fills an empty folder. */
  readonly make: (folder: string) => Promise<unknown>;
}

/** The folder of the build of the present sources: built before, or built now. */
export async function built({ name, sources, ofThisClone, make }: Build): Promise<string> {
  const parent = join(cacheFolder(), name);
  const folder = join(parent, hashOf(sources, ofThisClone ? root : ''));
  if (existsSync(folder)) return used(folder);
  // Elsewhere first: a start that is killed leaves no half of it, and two starts do no harm.
  const made = emptyFolder(parent);
  try {
    await make(made);
    renameSync(made, folder);
    deleteOldBuilds(parent);
  } catch (error) {
    rmSync(made, { recursive: true, force: true });
    // Somebody else was faster.
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

/** @throws StartError if the cache cannot be written */
function emptyFolder(parent: string): string {
  try {
    mkdirSync(parent, { recursive: true });
    return mkdtempSync(join(parent, 'building-'));
  } catch (error) {
    throw new StartError(
      `${parent} cannot be written (${(error as NodeJS.ErrnoException).code}). Set PRESSWORK_CACHE to a folder that can.`,
    );
  }
}

/** Notes that a build is in use, so that it is not among the old ones. */
function used(folder: string): string {
  const now = new Date();
  try {
    utimesSync(folder, now, now);
  } catch {
    // A cache that can only be read is as good, and nothing in it is deleted.
  }
  return folder;
}

/** An API may still be starting with one of the last few. */
const KEPT = 8;
/** The rest of a killed start is older than any build takes. */
const UNFINISHED_MS = 60 * 60_000;

function deleteOldBuilds(parent: string): void {
  const age = (folder: string): number => Date.now() - statSync(folder).mtimeMs;
  const named = (pattern: RegExp): string[] =>
    readdirSync(parent)
      .filter((name) => pattern.test(name))
      .map((name) => join(parent, name));
  const old = named(/^[0-9a-f]{16}$/)
    .sort((a, b) => age(a) - age(b))
    .slice(KEPT);
  const unfinished = named(/^building-/).filter((folder) => age(folder) > UNFINISHED_MS);
  for (const folder of [...old, ...unfinished]) rmSync(folder, { recursive: true, force: true });
}

function hashOf(sources: readonly string[], place: string): string {
  const hash = createHash('sha256').update(`${place}\0`);
  const files = globSync(sources, { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  for (const file of files)
    hash
      .update(`${file.slice(root.length)}\0`)
      .update(readFileSync(file))
      .update('\0');
  return hash.digest('hex').slice(0, 16);
}
