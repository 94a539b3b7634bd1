import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const MANAGER = 'lefthook';

/**
 * Installs the hooks of lefthook.yml in a clone. Left as it is: what is no clone, a clone of CI, and hooks that
 * somebody else has put there.
 *
 * @param {string} root of the clone
 */
export function installGitHooks(root) {
  const program = join(root, 'node_modules/.bin', MANAGER);
  if (process.env.CI || !existsSync(join(root, '.git')) || !existsSync(program)) return;
  const git = (...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout?.trim() ?? '';
  const folder = git('rev-parse', '--git-path', 'hooks');
  if (folder === '' || git('config', '--get', 'core.hooksPath') !== '') return;
  const hook = resolve(root, folder, 'pre-commit');
  if (existsSync(hook) && !readFileSync(hook, 'utf8').includes(MANAGER)) {
    console.error(`${hook} is not of this project and stays: what is committed is not formatted by itself.`);
    return;
  }
  const { status, stdout, stderr } = spawnSync(program, ['install', 'pre-commit'], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 0) console.error(`The git hooks have not been installed:\n${stdout}${stderr}`);
}
