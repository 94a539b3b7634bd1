import { execFile } from 'node:child_process';
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
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../runtime/home.ts';
import { cacheFolder } from './tools.ts';

const run = promisify(execFile);

/** What the build is made of; the lock file stands for the packages. */
const sources = [
  'dashboard/**',
  'sdk/src/**',
  'package-lock.json',
  'tsconfig.json',
  'tools/dev/dashboard.ts',
];

/** The folder of the dashboard built from the sources as they are now: built before, or built now. */
export async function buildDashboard(): Promise<string> {
  const parent = join(cacheFolder(), 'dashboard');
  const folder = join(parent, hashOfSources());
  if (existsSync(folder)) return folder;
  mkdirSync(parent, { recursive: true });
  const made = mkdtempSync(join(parent, 'building-'));
  try {
    const vite = join(root, 'node_modules/vite/bin/vite.js');
    const config = join(root, 'dashboard/vite.config.ts');
    // Tests have another environment, and React would be built for development.
    const env = { ...process.env, NODE_ENV: 'production' };
    await run(process.execPath, [vite, 'build', '--config', config, '--outDir', made], { env });
    renameSync(made, folder);
    deleteOldBuilds(parent);
  } catch (error) {
    rmSync(made, { recursive: true, force: true });
    // Somebody else was faster.
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

/** An API may still be starting with one of the last few. */
const KEPT = 8;

function deleteOldBuilds(parent: string): void {
  const builds = readdirSync(parent)
    .filter((name) => /^[0-9a-f]{16}$/.test(name))
    .map((name) => join(parent, name))
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  for (const build of builds.slice(KEPT)) rmSync(build, { recursive: true, force: true });
}

function hashOfSources(): string {
  const hash = createHash('sha256');
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
