import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { join } from 'node:path';
import { root } from '../../runtime/home.ts';

/** `presswork` in a process of its own, and what it said. */
export interface Program {
  readonly stdin: Writable | null;
  readonly stderr: Readable;
  out(): string;
  err(): string;
  kill(signal: NodeJS.Signals): void;
  /** Closes the reading end of its standard output. */
  stopReading(): void;
  /** Its exit code; null if a signal ended it. */
  readonly ended: Promise<number | null>;
}

interface Start {
  /** Besides PATH; the default is none. */
  readonly env?: NodeJS.ProcessEnv;
  /** The default is the program that Node runs; `cli/presswork.mjs` is the one that npx runs. */
  readonly file?: string;
  /** Whether its standard input is /dev/null. */
  readonly alone?: boolean;
}

const running = new Set<() => void>();

/** Starts it for what only a process shows: how it ends by a signal, without a reader, or killed. */
export function startProgram(
  args: readonly string[],
  { env, file = 'cli/main.ts', alone = true }: Start = {},
): Program {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, [join(root, file), ...args], {
    env: { PATH, NODE_COMPILE_CACHE, ...env },
    stdio: [alone ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  }) as ChildProcessByStdio<Writable | null, Readable, Readable>;
  // The program that npx runs passes this on to the command.
  running.add(() => child.kill(file === 'cli/main.ts' ? 'SIGKILL' : 'SIGTERM'));
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  return {
    stdin: child.stdin,
    stderr: child.stderr,
    out: () => out,
    err: () => err,
    kill: (signal) => void child.kill(signal),
    stopReading: () => void child.stdout.destroy(),
    ended: new Promise((resolve) => child.on('close', resolve)),
  };
}

/** Ends what a test has left running. */
export function endPrograms(): void {
  for (const end of running) end();
  running.clear();
}
