import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The output of git in a folder; null if it fails, for example because there is no such branch. */
function git(folder: string, ...args: string[]): string | null {
  try {
    return execFileSync('git', args, {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 16 * 2 ** 20,
    });
  } catch {
    return null;
  }
}

const paths = (listed: string): string[] => listed.split('\0').filter((path) => path !== '');

/** All files of a repository, without those that git ignores: also those that nobody has added yet. */
export function repositoryFiles(folder: string): readonly string[] {
  const listed = git(folder, 'ls-files', '-z', '--cached', '--others', '--exclude-standard');
  if (listed === null) throw new Error(`${folder} is no git repository`);
  const isFile = (path: string): boolean =>
    existsSync(join(folder, path)) && statSync(join(folder, path)).isFile();
  return [...new Set(paths(listed))].filter(isFile);
}

export interface Changed {
  /** Those that are there; a deleted file is only counted. */
  readonly files: readonly string[];
  readonly deleted: number;
  /** The basis of the comparison. */
  readonly since: string;
}

/** The files that differ from where the branch left main: committed, staged, unstaged and new files. */
export function changedFiles(folder: string): Changed {
  const main = ['origin/main', 'main'].find(
    (name) => git(folder, 'rev-parse', '--verify', '--quiet', name) !== null,
  );
  const base = main === undefined ? null : git(folder, 'merge-base', main, 'HEAD');
  const since = base?.trim() ?? 'HEAD';
  const differing = git(folder, 'diff', '--name-only', '--no-renames', '-z', since);
  const added = git(folder, 'ls-files', '-z', '--others', '--exclude-standard');
  if (differing === null || added === null) throw new Error(`${folder} has no commit to compare with`);
  const all = [...new Set([...paths(differing), ...paths(added)])];
  const files = all.filter((path) => existsSync(join(folder, path)));
  return {
    files,
    deleted: all.length - files.length,
    since: base === null ? 'the last commit' : (main as string),
  };
}
