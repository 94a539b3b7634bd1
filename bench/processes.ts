import { fork, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, root } from '../dev/home.ts';
import { until } from '../dev/processes.ts';
import type { Duration, Measurement } from './load.ts';
import type { LoadOrder, LoadReport } from './load-process.ts';
import type { Seeded } from './seed.ts';

const READY_TIMEOUT_MS = 30_000;

/** A server that the load is sent to. */
export interface ServerProcess {
  readonly origin: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/**
 * Starts a server of this repository and waits until it answers.
 *
 * @param args for Node: its options, then the program
 * @param probe a path that answers 200 as soon as the server is up
 */
export async function startServer(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  probe: string,
  logFile: string,
): Promise<ServerProcess> {
  const port = await freePort();
  const log = openSync(logFile, 'a');
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production', ...env, PORT: String(port), HOST: '127.0.0.1' },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const origin = `http://127.0.0.1:${port}`;
  const answers = (): Promise<boolean> =>
    fetch(origin + probe).then(
      ({ ok }) => ok,
      () => false,
    );
  await until(async () => child.exitCode !== null || (await answers()), READY_TIMEOUT_MS);
  if (child.exitCode !== null || child.pid === undefined) {
    throw new Error(`${args.at(-1)} did not come up:\n${readFileSync(logFile, 'utf8').slice(-2_000)}`);
  }
  return { origin, pid: child.pid, stop: () => stop(child) };
}

/** The process that makes the load. */
export interface LoadProcess {
  /** Gets a scenario ready; it is the next one to be measured. */
  prepare(name: string, origin: string): Promise<void>;
  measure(name: string, origin: string, duration: Duration): Promise<Measurement>;
  stop(): Promise<void>;
}

export function startLoad(seeded: Seeded): LoadProcess {
  const child = fork(join(root, 'bench/load-process.ts'), { serialization: 'advanced' });
  const tell = (order: LoadOrder): boolean => child.send(order);
  tell({ seeded });
  const ask = (name: string, order: LoadOrder): Promise<Measurement | null> =>
    new Promise((resolve, reject) => {
      const gone = (): void => reject(new Error('The process that makes the load has ended'));
      child.once('exit', gone);
      child.once('message', (report: LoadReport) => {
        child.off('exit', gone);
        if ('failed' in report) reject(new Error(`${name}: ${report.failed}`));
        else resolve(report.measured);
      });
      tell(order);
    });
  return {
    prepare: async (name, origin) => void (await ask(name, { prepare: name, origin })),
    measure: async (name, origin, duration) =>
      (await ask(name, { measure: name, origin, duration })) as Measurement,
    stop: () => stop(child),
  };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 10_000);
  await exited;
  clearTimeout(timer);
}
