import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import { root } from '../../runtime/home.ts';
import { cacheFolder } from './tools.ts';

/** Runs jest with ES modules. The programs that tests start are compiled once, which halves their start-up time. */
export function startJest(args: readonly string[], env: Readonly<Record<string, string>>): ChildProcess {
  const program = join(root, 'node_modules/jest/bin/jest.js');
  return spawn(process.execPath, ['--no-warnings', program, ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, NODE_COMPILE_CACHE: join(cacheFolder(), 'compiled'), ...env },
  });
}

/** As in a shell: 128 plus the number of the signal, if a signal ended it. */
export const exitCodeOf = (child: ChildProcess): Promise<number> =>
  new Promise((done) =>
    child.on('exit', (code, signal) => done(code ?? 128 + constants.signals[signal ?? 'SIGTERM'])),
  );
