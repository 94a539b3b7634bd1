import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../../runtime/home.ts';
import { until } from '../../tools/dev/processes.ts';
import { cacheFolder } from '../../tools/dev/tools.ts';

/** The product as `npm start` runs it, through the launcher; the supervisor itself is tested in test/tools/dev. */
export interface Product {
  readonly launcher: ChildProcess;
  said(): string;
  readonly ended: Promise<number | null>;
}

/** @param env with PRESSWORK_HOME and PORT */
export function startProduct(env: Readonly<Record<string, string>>): Product {
  const { npm_lifecycle_event: _event, ...inherited } = process.env;
  const launcher = spawn(process.execPath, [join(root, 'tools/dev/launch.mjs'), 'start'], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...inherited,
      PRESSWORK_CACHE: cacheFolder(),
      DATABASE_URL: '',
      TEMPORAL_ADDRESS: '',
      S3_ENDPOINT: '',
      ...env,
    },
  });
  let said = '';
  for (const output of [launcher.stdout, launcher.stderr])
    output?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => launcher.on('close', resolve));
  return { launcher, said: () => said, ended };
}

export async function ready({ said, launcher }: Product): Promise<void> {
  await until(() => said().includes('Presswork is ready') || launcher.exitCode !== null, 120_000);
  expect(said()).toContain('Presswork is ready');
}

/** Signals the launcher and what it runs in its own process group: not the servers, API and worker. */
export const signalProduct = ({ launcher }: Product, name: NodeJS.Signals): void =>
  void process.kill(-(launcher.pid as number), name);
