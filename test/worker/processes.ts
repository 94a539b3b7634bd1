import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, root } from '../../dev/home.ts';
import { environment } from '../support/environment.ts';
import { eventually } from '../support/eventually.ts';

/** A worker, or the API, as a process of its own. */
export interface WorkerProcess {
  /** Resolves once it takes work, or requests. */
  readonly working: Promise<void>;
  /** Ends it as a crash does. */
  kill(): Promise<void>;
  /** Has it stand still, as a machine does that swaps or is suspended. */
  stall(): void;
  wakeUp(): void;
  /** Ends it in good order. @returns its exit code */
  stop(): Promise<number | null>;
  /** All that it has written so far, on either output. */
  said(): string;
}

const ENCRYPTION_KEY = randomBytes(32).toString('base64');
const running = new Set<ChildProcess>();

interface ProcessSettings {
  readonly databaseUrl: string;
  readonly temporalAddress: string;
  readonly namespace: string;
  /** Beside what every test of processes needs. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts worker/main.ts. */
export function spawnWorker(settings: ProcessSettings): WorkerProcess {
  bundle ??= makeBundle();
  const env = { WORKFLOW_BUNDLE: bundle, ...settings.env };
  return spawnProgram('worker/main.ts', '"working"', { ...settings, env });
}

let bundle: string | undefined;

/** The workflows, bundled once for all workers of a suite, as an image has them. */
function makeBundle(): string {
  const folder = mkdtempSync(join(tmpdir(), 'presswork-bundle-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'workflows.js');
  execFileSync(process.execPath, [join(root, 'worker/bundle.ts'), file], { stdio: 'ignore' });
  return file;
}

/** Starts api/main.ts. @returns it, and where it listens, without `/v1` */
export async function spawnApi(settings: ProcessSettings): Promise<WorkerProcess & { origin: string }> {
  const port = await freePort();
  const env = { ...settings.env, PORT: String(port), HOST: '127.0.0.1' };
  const api = spawnProgram('api/main.ts', '"listening"', { ...settings, env });
  return { ...api, origin: `http://127.0.0.1:${port}` };
}

/** @param word of the log line that says that it is up */
function spawnProgram(program: string, word: string, settings: ProcessSettings): WorkerProcess {
  const child = spawn(process.execPath, [join(root, program)], {
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

/** Ends what a test has left running. */
export function endWorkers(): void {
  for (const child of running) child.kill('SIGKILL');
}
