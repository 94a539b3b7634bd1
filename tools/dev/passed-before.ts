import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Which checks have passed on the code as it is now.
 *
 * @param root of the repository
 * @param files of the repository, of which the documents are no code
 * @param folder where it is noted
 */
export function passedBefore(root: string, files: readonly string[], folder: string) {
  const hash = createHash('sha256').update(process.version);
  for (const file of files.filter((path) => !path.endsWith('.md')).toSorted())
    hash.update(`\0${file}\0`).update(readFileSync(join(root, file)));
  const code = hash.digest('hex');
  const note = (name: string): string => join(folder, 'passed', name);
  return {
    has: (name: string): boolean => existsSync(note(name)) && readFileSync(note(name), 'utf8') === code,
    add: (name: string): void => {
      mkdirSync(dirname(note(name)), { recursive: true });
      writeFileSync(note(name), code);
    },
  };
}
