import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../../runtime/home.ts';
import { freePort } from '../../runtime/free-port.ts';
import { directUrl } from '../support/database.ts';
import { ENCRYPTION_KEY } from '../support/encryption-key.ts';
import { environment } from '../support/environment.ts';
import { eventually } from '../support/eventually.ts';
import { createWire } from '../support/temporal.ts';
import type { Wire } from '../support/temporal.ts';

/** A worker or an API in its own process. */
export interface WorkerProcess {
  /** Resolves once it is ready. */
  readonly working: Promise<void>;
  /** Kills it, like a crash. */
  kill(): Promise<void>;
  /** Suspends it, like a machine that swaps or sleeps. */
  stall(): void;
  wakeUp(): void;
  /** Stops it gracefully. @returns its exit code */
  stop(): Promise<number | null>;
  /** Its output so far, on stdout and stderr. */
  said(): string;
  isRunning(): boolean;
}

/** The workers of a file, of which one runs at a time: a test takes over the one that the test before it has left. */
export interface Workers {
  /** The one that works; a new one if the last was killed or stopped. */
  working(): Promise<WorkerProcess>;
  /** Kills it, if one runs. */
  kill(): Promise<void>;
  /** The output of all of them. */
  said(): string;
}

const running = new Set<ChildProcess>();

export interface ProcessSettings {
  readonly databaseUrl: string;
  readonly temporalAddress: string;
  readonly namespace: string;
  /** In addition to what every process of a test needs. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts worker/main.ts. */
export function spawnWorker(settings: ProcessSettings): WorkerProcess {
  const env = { WORKFLOW_BUNDLE: environment('WORKFLOW_BUNDLE'), ...settings.env };
  return spawnProgram('worker/main.ts', '"working"', { ...settings, env });
}

/** @param settings of the next worker */
export function oneAtATime(settings: () => ProcessSettings | Promise<ProcessSettings>): Workers {
  const workers: WorkerProcess[] = [];
  return {
    async working() {
      const last = workers.at(-1);
      const worker = last?.isRunning() ? last : spawnWorker(await settings());
      if (worker !== last) workers.push(worker);
      await worker.working;
      return worker;
    },
    async kill() {
      const last = workers.at(-1);
      if (last?.isRunning()) await last.kill();
    },
    said: () => workers.map((worker) => worker.said()).join(''),
  };
}

/** The same behind wires: what is on its way to Temporal when a worker is killed is lost with it. */
export function oneBehindWire(settings: () => ProcessSettings): Workers & { readonly wire: () => Wire } {
  let wire: Wire | undefined;
  const workers = oneAtATime(async () => {
    await wire?.cut();
    const given = settings();
    wire = await createWire(given.temporalAddress);
    return { ...given, temporalAddress: wire.address };
  });
  return {
    ...workers,
    wire: () => wire!,
    async kill() {
      await workers.kill();
      await wire?.cut();
    },
  };
}

/** Starts api/main.ts. @returns it, and its origin */
export async function spawnApi(settings: ProcessSettings): Promise<WorkerProcess & { origin: string }> {
  const port = await freePort();
  const env = { ...settings.env, PORT: String(port), HOST: '127.0.0.1' };
  const api = spawnProgram('api/main.ts', '"listening"', { ...settings, env });
  return { ...api, origin: `http://127.0.0.1:${port}` };
}

/** @param word in the log line that reports readiness */
function spawnProgram(program: string, word: string, settings: ProcessSettings): WorkerProcess {
  const child = spawn(process.execPath, [join(root, program)], {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      DATABASE_URL: settings.databaseUrl,
      LISTEN_DATABASE_URL: directUrl(settings.databaseUrl),
      TEMPORAL_ADDRESS: settings.temporalAddress,
      TEMPORAL_NAMESPACE: settings.namespace,
      ENCRYPTION_KEY,
      S3_ENDPOINT: environment('S3_ENDPOINT'),
      S3_ACCESS_KEY_ID: environment('S3_ACCESS_KEY_ID'),
      S3_SECRET_ACCESS_KEY: environment('S3_SECRET_ACCESS_KEY'),
      LOG_LEVEL: 'info',
      ...settings.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  let said = '';
  let isUp = false;
  for (const output of [child.stdout, child.stderr])
    output.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      isUp ||= said.includes(word);
    });
  const exited = new Promise<number | null>((resolve) =>
    child.on('exit', (code) => {
      running.delete(child);
      resolve(code);
    }),
  );
  const works = (): boolean => {
    if (child.exitCode !== null) throw new Error(`${program} ended: ${said.slice(-20_000)}`);
    return isUp || child.signalCode !== null;
  };
  return {
    said: () => said,
    isRunning: () => running.has(child),
    working: eventually(`${program} works`, works, 20),
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
    stall: () => void child.kill('SIGSTOP'),
    wakeUp: () => void child.kill('SIGCONT'),
    stop() {
      child.kill('SIGTERM');
      return exited;
    },
  };
}

/** Kills what a test has left running. */
export function endWorkers(): void {
  for (const child of running) child.kill('SIGKILL');
}
