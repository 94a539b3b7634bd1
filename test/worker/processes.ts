import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { root } from '../../dev/home.ts';
import { environment } from '../support/environment.ts';
import { eventually } from '../support/temporal.ts';

/** A worker as a process of its own. */
export interface WorkerProcess {
  /** Resolves once it takes work. */
  readonly working: Promise<void>;
  /** Ends it as a crash does. */
  kill(): Promise<void>;
  /** Ends it in good order. @returns its exit code */
  stop(): Promise<number | null>;
}

const ENCRYPTION_KEY = randomBytes(32).toString('base64');
const running = new Set<ChildProcess>();

/** Starts worker/main.ts. */
export function spawnWorker(settings: {
  readonly databaseUrl: string;
  readonly temporalAddress: string;
  readonly namespace: string;
}): WorkerProcess {
  const child = spawn(process.execPath, [join(root, 'worker/main.ts')], {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      DATABASE_URL: settings.databaseUrl,
      TEMPORAL_ADDRESS: settings.temporalAddress,
      TEMPORAL_NAMESPACE: settings.namespace,
      ENCRYPTION_KEY,
      S3_ENDPOINT: environment('S3_ENDPOINT'),
      S3_ACCESS_KEY_ID: environment('S3_ACCESS_KEY_ID'),
      S3_SECRET_ACCESS_KEY: environment('S3_SECRET_ACCESS_KEY'),
      LOG_LEVEL: 'info',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  let said = '';
  for (const output of [child.stdout, child.stderr])
    output.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-20_000)));
  const exited = new Promise<number | null>((resolve) =>
    child.on('exit', (code) => {
      running.delete(child);
      resolve(code);
    }),
  );
  const isWorking = (): boolean => {
    if (child.exitCode !== null) throw new Error(`The worker ended: ${said}`);
    return said.includes('"working"') || child.signalCode !== null;
  };
  return {
    working: eventually('the worker works', isWorking, 20_000, 20),
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
    stop() {
      child.kill('SIGTERM');
      return exited;
    },
  };
}

/** Ends what a test has left running. */
export function endWorkers(): void {
  for (const child of running) child.kill('SIGKILL');
}
