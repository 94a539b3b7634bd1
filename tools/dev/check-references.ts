import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../runtime/home.ts';
import { followReferences } from './references.ts';
import { repositoryFiles } from './repository-files.ts';

/** Checks that every reference from one file of the repository to another resolves. */

/** Larger files are generated or recorded. */
const LARGEST = 1_000_000;

const files = new Map<string, string>();
for (const path of repositoryFiles(root)) {
  const file = join(root, path);
  files.set(path, statSync(file).size > LARGEST ? '' : readFileSync(file, 'utf8'));
}
const { followed, broken } = followReferences(files);
for (const reference of broken) console.error(reference);
console.log(`${followed} references followed`);
process.exit(broken.length === 0 && followed > 0 ? 0 : 1);
