import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../../runtime/home.ts';

/** A running `presswork listen`, and its output. */
export interface Listener {
  out(): string;
  err(): string;
  /** Its lines about events, oldest first. */
  lines(): readonly string[];
  interrupt(): void;
  /** Its exit code; null if a signal ended it. */
  readonly ended: Promise<number | null>;
}

const running = new Set<() => void>();

/** Stops the listeners of a test. */
export function endListeners(): void {
  for (const end of running) end();
  running.clear();
}

/** Runs the command in its own process. */
export function startListener(...args: readonly string[]): Listener {
  const child = spawn(process.execPath, [join(root, 'cli/main.ts'), 'listen', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(() => child.kill('SIGKILL'));
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  return {
    out: () => out,
    err: () => err,
    lines: () => out.split('\n').filter((line) => /^\d{4}-/.test(line)),
    interrupt: () => void child.kill('SIGINT'),
    ended: new Promise((resolve) => child.on('close', resolve)),
  };
}
