import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { freePort, root } from '../../dev/home.ts';
import { environment } from './environment.ts';
import { eventually } from './temporal.ts';

/** The API as a process of its own. */
export interface ApiProcess {
  /** Without `/v1`. */
  readonly origin: string;
  /** Ends it as a crash does. */
  kill(): Promise<void>;
}

const ENCRYPTION_KEY = randomBytes(32).toString('base64');
const running = new Set<ChildProcess>();

/** Starts api/main.ts, and waits until it takes requests. */
export async function spawnApi(settings: {
  readonly databaseUrl: string;
  readonly storageEndpoint: string;
}): Promise<ApiProcess> {
  const port = await freePort();
  const child = spawn(process.execPath, [join(root, 'api/main.ts')], {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PORT: String(port),
      HOST: '127.0.0.1',
      DATABASE_URL: settings.databaseUrl,
      TEMPORAL_ADDRESS: environment('TEMPORAL_ADDRESS'),
      ENCRYPTION_KEY,
      S3_ENDPOINT: settings.storageEndpoint,
      S3_BUCKET: environment('S3_BUCKET'),
      S3_REGION: environment('S3_REGION'),
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
  const exited = new Promise<void>((resolve) =>
    child.on('exit', () => {
      running.delete(child);
      resolve();
    }),
  );
  await eventually('the API listens', () => {
    if (child.exitCode !== null) throw new Error(`The API ended: ${said}`);
    return said.includes('"listening"');
  });
  return {
    origin: `http://127.0.0.1:${port}`,
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** Ends what a test has left running. */
export function endApis(): void {
  for (const child of running) child.kill('SIGKILL');
}
