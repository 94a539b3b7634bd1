import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { StartError } from './home.ts';
import { showing } from './progress.ts';

const LONGEST_OUTPUT = 16_777_216;

/**
 * Runs a command that prepares something, and shows that it is running.
 *
 * @returns its output
 * @throws StartError with its last lines if it fails
 */
export async function runTool(
  title: string,
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  timeout?: number,
): Promise<string> {
  const running = promisify(execFile)(command, args, { env, timeout, maxBuffer: LONGEST_OUTPUT });
  const endChild = (): void => void running.child.kill();
  process.once('exit', endChild);
  running.child.stdin?.end();
  try {
    return (await showing(title, running)).stdout.trim();
  } catch (error) {
    const { stdout, stderr, message } = error as Error & { stdout?: string; stderr?: string };
    const said = `${stdout ?? ''}${stderr ?? ''}`.trim() || message;
    throw new StartError(`${command} ${args[0]} failed: ${said.split('\n').slice(-3).join(' | ')}`);
  } finally {
    process.off('exit', endChild);
  }
}

/** Whether a program can be run. */
export const works = (command: string, args: readonly string[]): boolean =>
  spawnSync(command, args).status === 0;
