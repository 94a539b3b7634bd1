import { fork, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../runtime/home.ts';
import { freePort } from '../../runtime/free-port.ts';
import { compile, programCommand } from '../dev/applications.ts';
import { until } from '../dev/processes.ts';
import type { Duration, Sample } from './load.ts';
import type { LoadOrder, LoadReport } from './load-process.ts';
import type { OnEnd } from './run.ts';
import type { Seeded } from './seed.ts';

const READY_TIMEOUT_MS = 30_000;

/** A server under load. */
export interface ServerProcess extends StartedProcess {
  readonly origin: string;
}

/** A process of the product. */
export interface StartedProcess {
  readonly pid: number;
  /** Exchanges a message with the module that was loaded by `--import`. */
  readonly child: ChildProcess;
  stop(): Promise<void>;
}

/** Settings that the processes require; no measured path uses these services. */
const unusedServices = {
  TEMPORAL_ADDRESS: '127.0.0.1:1',
  S3_ENDPOINT: 'http://127.0.0.1:1',
  S3_ACCESS_KEY_ID: 'unused',
  S3_SECRET_ACCESS_KEY: 'unused',
  ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  PURGE_URL: '',
  PUBLIC_URL: '',
};

/**
 * Starts a server of this repository and waits until it answers.
 *
 * @param command with its arguments
 * @param probe a path that answers 200 as soon as the server is up
 */
export async function startServer(
  command: readonly string[],
  env: Readonly<Record<string, string>>,
  probe: string,
  logFile: string,
): Promise<ServerProcess> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const answers = (): Promise<boolean> =>
    fetch(origin + probe).then(
      ({ ok }) => ok,
      () => false,
    );
  const child = await startProgram(command, { ...env, PORT: String(port) }, answers, logFile);
  return { origin, ...child };
}

interface ProgramOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly logFile: string;
  /** For Node. */
  readonly flags?: readonly string[];
}

/** Starts the API and waits until it answers. */
export async function startApi(
  { env, logFile, flags = [] }: ProgramOptions,
  onEnd: OnEnd,
): Promise<ServerProcess> {
  const settings = { ...unusedServices, ...(await compile()), ...env };
  const api = await startServer(programCommand('api', flags), settings, '/healthz', logFile);
  onEnd(() => api.stop());
  return api;
}

/** Starts the worker and waits until it is ready. */
export async function startWorker(
  { env, logFile, flags = [] }: ProgramOptions,
  onEnd: OnEnd,
): Promise<StartedProcess> {
  const settings = { ...unusedServices, ...(await compile()), ...env };
  const works = (): boolean => readFileSync(logFile, 'utf8').includes('"working"');
  const worker = await startProgram(programCommand('worker', flags), settings, works, logFile);
  onEnd(() => worker.stop());
  return worker;
}

async function startProgram(
  [program = '', ...args]: readonly string[],
  env: Readonly<Record<string, string>>,
  isUp: () => boolean | Promise<boolean>,
  logFile: string,
): Promise<StartedProcess> {
  const log = openSync(logFile, 'a');
  const child = spawn(program, args, {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production', ...env, HOST: '127.0.0.1' },
    stdio: ['ignore', log, log, 'ipc'],
  });
  closeSync(log);
  const up = await until(async () => child.exitCode !== null || (await isUp()), READY_TIMEOUT_MS);
  if (!up || child.exitCode !== null || child.pid === undefined) {
    child.kill('SIGKILL');
    throw new Error(`${args.at(-1)} did not start:\n${readFileSync(logFile, 'utf8').slice(-2_000)}`);
  }
  return { pid: child.pid, child, stop: () => stop(child) };
}

export interface LoadProcess {
  /** Prepares a scenario. It can then be measured several times; each measurement continues after the previous one. */
  prepare(name: string, origin: string): Promise<void>;
  measure(name: string, origin: string, duration: Duration): Promise<Sample>;
  stop(): Promise<void>;
}

export function startLoad(seeded: Seeded): LoadProcess {
  const child = fork(join(root, 'tools/bench/load-process.ts'), { serialization: 'advanced' });
  const tell = (order: LoadOrder): boolean => child.send(order);
  tell({ seeded });
  const ask = (name: string, order: LoadOrder): Promise<Sample | null> =>
    new Promise((resolve, reject) => {
      const gone = (): void => reject(new Error('The process that generates the load has ended'));
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
      (await ask(name, { measure: name, origin, duration })) as Sample,
    stop: () => stop(child),
  };
}

/** Stops a process gracefully, or kills it after a while. */
export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 10_000);
  await exited;
  clearTimeout(timer);
}
