import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../runtime/home.ts';
import { followReferences } from './references.ts';

/** Checks that every reference from one file of the repository to another resolves. */

/** Larger files are generated or recorded. */
const LARGEST = 1_000_000;

const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 16 * 2 ** 20,
});
const files = new Map<string, string>();
for (const path of listed.split('\0')) {
  const file = join(root, path);
  if (path === '' || !existsSync(file) || !statSync(file).isFile()) continue;
  files.set(path, statSync(file).size > LARGEST ? '' : readFileSync(file, 'utf8'));
}
const { followed, broken } = followReferences(files);
for (const reference of broken) console.error(reference);
console.log(`${followed} references followed`);
process.exit(broken.length === 0 && followed > 0 ? 0 : 1);
