import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import { root } from './home.ts';
import { cacheFolder } from './tools.ts';

/** Runs jest, whose modules are ES modules. The programs that tests start are compiled once: it is half of their start. */
export function startJest(args: readonly string[], env: Readonly<Record<string, string>>): ChildProcess {
  const program = join(root, 'node_modules/jest/bin/jest.js');
  return spawn(process.execPath, ['--experimental-vm-modules', '--no-warnings', program, ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, NODE_COMPILE_CACHE: join(cacheFolder(), 'compiled'), ...env },
  });
}

/** As a shell has it: 128 and the number of the signal, where one ended it. */
export const exitCodeOf = (child: ChildProcess): Promise<number> =>
  new Promise((done) =>
    child.on('exit', (code, signal) => done(code ?? 128 + constants.signals[signal ?? 'SIGTERM'])),
  );
