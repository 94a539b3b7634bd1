import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** The environment without what changes how git and its hooks work here, and with somebody who commits. */
export const ownEnvironment: NodeJS.ProcessEnv = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => name !== 'CI' && !/^(GIT|LEFTHOOK)/.test(name)),
  ),
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_AUTHOR_NAME: 'Somebody',
  GIT_AUTHOR_EMAIL: 'somebody@example.com',
  GIT_COMMITTER_NAME: 'Somebody',
  GIT_COMMITTER_EMAIL: 'somebody@example.com',
};

/** A git repository of its own, on branch main, with a commit. */
export function createRepository(files: Readonly<Record<string, string>>) {
  const folder = temporaryFolder();
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: folder, env: ownEnvironment, encoding: 'utf8', stdio: 'pipe' });
  const write = (path: string, text: string): void => writeFileSync(join(folder, path), text);
  git('init', '--quiet', '--initial-branch', 'main');
  for (const [path, text] of Object.entries(files)) write(path, text);
  git('add', '--all');
  git('commit', '--quiet', '--message', 'First', '--allow-empty');
  return { folder, git, write };
}
