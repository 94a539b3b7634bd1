import { spawn, spawnSync } from 'node:child_process';
import { StartError } from './home.ts';
import { showing } from './progress.ts';

/**
 * Runs a command that prepares something, and shows that it is under way.
 *
 * @returns what it said on its output
 * @throws StartError with its last lines where it fails
 */
export function runTool(
  title: string,
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  timeout?: number,
): Promise<string> {
  const running = new Promise<string>((done, failed) => {
    const child = spawn(command, args, { env, timeout, stdio: ['ignore', 'pipe', 'pipe'] });
    const endChild = (): void => void child.kill();
    process.once('exit', endChild);
    let said = '';
    let complained = '';
    child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (complained += chunk.toString()));
    child.on('error', (error) => failed(new StartError(`${command}: ${error.message}`)));
    child.on('close', (code) => {
      process.off('exit', endChild);
      if (code === 0) return done(said.trim());
      const lines = `${said}${complained}`.trim().split('\n').slice(-3).join(' | ');
      failed(new StartError(`${command} ${args[0]} failed: ${lines}`));
    });
  });
  return showing(title, running);
}

/** Whether a program can be run at all. */
export const works = (command: string, args: readonly string[]): boolean =>
  spawnSync(command, args).status === 0;
