import { spawn } from 'node:child_process';
import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join, parse } from 'node:path';

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => void server.close(resolve));
  return port;
}

/** Starts a server that ends with the test, also with one that fails. */
export function start(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  const child = spawn(command, args, { stdio: 'ignore', ...options, detached: true });
  child.unref();
  process.once('exit', () => kill(child));
  return child;
}

/** With the processes that it started. */
export async function end(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const ended = new Promise((resolve) => void child.once('exit', resolve));
  child.ref();
  kill(child);
  await ended;
}

const hasEnded = ({ pid, exitCode, signalCode }: ChildProcess): boolean =>
  pid === undefined || exitCode !== null || signalCode !== null;

function kill(child: ChildProcess): void {
  if (!hasEnded(child)) process.kill(-(child.pid as number), 'SIGKILL');
}

/** Images as they were uploaded; a system may keep an improved one beside it. */
export async function imagesIn(folder: string): Promise<readonly Buffer[]> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const paths = files.flatMap((file) => (file.isFile() ? [join(file.parentPath, file.name)] : []));
  const own = paths.filter((path) => {
    const { dir, name, ext } = parse(path);
    return !paths.includes(join(dir, `${name}_o${ext}`));
  });
  return Promise.all(own.map((path) => readFile(path)));
}
