import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A git repository of its own, on branch main, without the settings of this machine. */
export function createRepository(files: Readonly<Record<string, string>>) {
  const folder = temporaryFolder();
  const { CI: _ci, ...inherited } = process.env;
  const env = {
    ...inherited,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_AUTHOR_NAME: 'Somebody',
    GIT_AUTHOR_EMAIL: 'somebody@example.com',
    GIT_COMMITTER_NAME: 'Somebody',
    GIT_COMMITTER_EMAIL: 'somebody@example.com',
  };
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: folder, env, encoding: 'utf8', stdio: 'pipe' });
  const write = (path: string, text: string): void => writeFileSync(join(folder, path), text);
  git('init', '--quiet', '--initial-branch', 'main');
  for (const [path, text] of Object.entries(files)) write(path, text);
  git('add', '--all');
  git('commit', '--quiet', '--message', 'First', '--allow-empty');
  return { folder, git, write };
}
