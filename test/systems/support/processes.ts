import { spawn } from 'node:child_process';
import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => void server.close(resolve));
  return port;
}

/** Starts a server that is ended with the test. */
export const start = (command: string, args: readonly string[], options: SpawnOptions): ChildProcess =>
  spawn(command, args, { stdio: 'ignore', ...options, detached: true });

/** With the processes that it started. */
export async function end(child: ChildProcess | undefined): Promise<void> {
  if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => void child.once('exit', resolve));
  process.kill(-child.pid, 'SIGKILL');
  await ended;
}

/** Images as they were uploaded; a system may keep an improved one beside it. */
export async function imagesIn(folder: string): Promise<readonly Buffer[]> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const paths = files.flatMap((file) => (file.isFile() ? [join(file.parentPath, file.name)] : []));
  const images = paths.filter((path) => path.endsWith('.png'));
  const own = images.filter((path) => !images.includes(path.replace('.png', '_o.png')));
  return Promise.all(own.map((path) => readFile(path)));
}
