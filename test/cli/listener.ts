import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../../dev/home.ts';

/** A running `presswork listen`, and what it has said. */
export interface Listener {
  out(): string;
  err(): string;
  /** What it says of each event, oldest first. */
  lines(): readonly string[];
  interrupt(): void;
  /** Its exit code; a process that a signal ended has none. */
  readonly ended: Promise<number | null>;
}

const running = new Set<() => void>();

/** Ends the listeners a test has started. */
export function endListeners(): void {
  for (const end of running) end();
  running.clear();
}

/** Runs the command as a process of its own. */
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
