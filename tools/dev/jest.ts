import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import { root } from '../../runtime/home.ts';
import { built } from './built.ts';

/**
 * Runs jest with ES modules. The programs that tests start are compiled once, which halves their start-up time. They
 * begin anew with other packages, so that removed packages are not kept for ever.
 */
export async function startJest(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<ChildProcess> {
  const compiled = await built({ name: 'compiled', sources: ['package-lock.json'], make: async () => {} });
  const program = join(root, 'node_modules/jest/bin/jest.js');
  return spawn(process.execPath, ['--no-warnings', program, ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, NODE_COMPILE_CACHE: compiled, ...env },
  });
}

/** As in a shell: 128 plus the number of the signal, if a signal ended it. */
export const exitCodeOf = (child: ChildProcess): Promise<number> =>
  new Promise((done) =>
    child.on('exit', (code, signal) => done(code ?? 128 + constants.signals[signal ?? 'SIGTERM'])),
  );
