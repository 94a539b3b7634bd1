import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../../../runtime/home.ts';
import { until } from '../../../tools/dev/processes.ts';

/** A process of the stack, and its output. */
export interface Script {
  readonly process: ChildProcess;
  readonly pid: number;
  out(): string;
  err(): string;
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
}

/** Runs an ES module given as text, which may import from tools/dev/ by `dev/…`. */
export const runText = (text: string): Script =>
  run(
    ['--input-type=module', '-e', text.replaceAll("'tools/dev/", `'${join(root, 'tools/dev')}/`)],
    process.env,
  );

/** Runs npm start's program, without the services of this environment. */
export function runStart(env: Record<string, string>): Script {
  const { DATABASE_URL: _d, TEMPORAL_ADDRESS: _t, S3_ENDPOINT: _s, ...inherited } = process.env;
  return run([join(root, 'tools/dev/start.ts')], { ...inherited, ...env });
}

function run(args: readonly string[], env: NodeJS.ProcessEnv): Script {
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) =>
    child.on('close', (code, signal) => resolve(code ?? signal)),
  );
  return { process: child, pid: child.pid as number, out: () => out, err: () => err, ended };
}

/** Waits for a text in a script's output. */
export async function said(script: Script, text: string, timeoutMs = 100_000): Promise<void> {
  const ended = (): boolean => script.process.exitCode !== null || script.process.signalCode !== null;
  await until(() => script.out().includes(text) || ended(), timeoutMs);
  if (!script.out().includes(text)) {
    throw new Error(`It did not say "${text}" but: ${script.out()}${script.err()}`);
  }
}
