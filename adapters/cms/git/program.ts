import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { PushFailure } from '../../../domain/cms/adapter.ts';
import { sizeOf } from './workspace.ts';

export class GitFailed extends Error {
  override name = 'GitFailed';
  readonly stdout: string;
  readonly stderr: string;

  constructor(stdout: Buffer, stderr: Buffer) {
    super('git failed');
    this.stdout = endsOf(stdout);
    this.stderr = endsOf(stderr);
  }
}

/** The length that is kept of either end of a failed command's output. */
const END_BYTES = 2 * 2 ** 10;

/** The beginning and the end, where git and ssh say why they failed: a remote can have them write megabytes between. */
const endsOf = (said: Buffer): string =>
  said.length <= 2 * END_BYTES
    ? said.toString('utf8')
    : `${said.toString('utf8', 0, END_BYTES)}\n${said.toString('utf8', said.length - END_BYTES)}`;

/** Runs git in a folder, with nothing of this process's environment but the path of programs. */
export interface Git {
  /** @throws GitFailed; PushFailure if it takes too long or too much room */
  run(args: readonly string[], input?: string): Promise<string>;
}

export interface GitOptions {
  readonly folder: string;
  /** Settings that no file holds and no list of processes shows. */
  readonly config: readonly (readonly [name: string, value: string])[];
  readonly env?: Readonly<Record<string, string>>;
  /** For all commands together. */
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

/** The most that a repository's newest commit may take, and an answer of git. */
const FOLDER_BYTES = 512 * 2 ** 20;
const OUTPUT_BYTES = 8 * 2 ** 20;
/**
 * The most memory of git and of each program that it starts, so that the two pushes of a process fit into its container
 * beside it. Twelve objects can stand for ten thousand million files, all of which would be listed.
 */
const MEMORY_KIB = 256 * 2 ** 10;
/** Git is also the first to be killed if memory runs out. A system that knows neither, such as macOS, goes without. */
const LIMITED = `ulimit -v ${MEMORY_KIB} 2>/dev/null; { echo 1000 > /proc/self/oom_score_adj; } 2>/dev/null; exec git "$@"`;
const LOOK_MS = 500;

/** @see https://git-scm.com/docs/git-config: none of the machine's settings, hooks, helpers or prompts */
const always: GitOptions['config'] = [
  ['core.hooksPath', '/dev/null'],
  ['credential.helper', ''],
  ['core.askPass', ''],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['fetch.recurseSubmodules', 'no'],
  ['push.recurseSubmodules', 'no'],
  ['protocol.allow', 'never'],
  // Within the limit of memory.
  ['pack.threads', '1'],
  ['core.packedGitWindowSize', '16m'],
  ['core.packedGitLimit', '64m'],
  ['core.deltaBaseCacheLimit', '16m'],
  ['core.bigFileThreshold', '16m'],
];

export function createGit({ folder, config, env = {}, limitMs, signal }: GitOptions): Git {
  const until = performance.now() + limitMs;
  const settings = [...always, ...config];
  const environment = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    LANG: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(
      settings.flatMap(([name, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, name],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
    ...env,
  };

  return {
    async run(args, input = '') {
      signal.throwIfAborted();
      const child = spawn('/bin/sh', ['-c', LIMITED, 'git', ...args], {
        cwd: folder,
        env: environment,
        detached: true,
      });
      let ended: PushFailure | undefined;
      const end = (why: PushFailure): void => {
        ended = why;
        kill(child);
      };
      const timer = setTimeout(() => end(tookTooLong()), Math.max(1, until - performance.now()));
      const watch = setInterval(() => {
        void sizeOf(folder).then((size) => {
          if (size > FOLDER_BYTES) end(tooLarge());
        });
      }, LOOK_MS);
      const stop = (): void => kill(child);
      signal.addEventListener('abort', stop, { once: true });
      try {
        const { code, isKilled, stdout, stderr } = await output(child, input);
        signal.throwIfAborted();
        if (ended !== undefined) throw ended;
        if (isKilled) throw tookTooMuchMemory();
        if (code === NOT_FOUND) throw missing();
        if (code !== 0) throw new GitFailed(stdout, stderr);
        return stdout.toString('utf8');
      } finally {
        clearTimeout(timer);
        clearInterval(watch);
        signal.removeEventListener('abort', stop);
      }
    },
  };
}

/** With the programs that it started. */
function kill({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

interface Output {
  readonly code: number | null;
  /** Whether the system ended it, as it does when memory runs out. */
  readonly isKilled: boolean;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
}

function output(child: ChildProcess, input: string): Promise<Output> {
  return new Promise((resolve, reject) => {
    let saysTooMuch = false;
    const read = (stream: NodeJS.ReadableStream | null): (() => Buffer) => {
      const chunks: Buffer[] = [];
      let size = 0;
      stream?.on('data', (chunk: Buffer) => {
        size += chunk.length;
        saysTooMuch ||= size > OUTPUT_BYTES;
        if (saysTooMuch) kill(child);
        else chunks.push(chunk);
      });
      return () => Buffer.concat(chunks);
    };
    const [stdout, stderr] = [read(child.stdout), read(child.stderr)];
    child.once('error', reject);
    child.once('close', (code, signal) => {
      const isKilled = signal !== null && !saysTooMuch;
      resolve({ code, isKilled, stdout: stdout(), stderr: stderr() });
    });
    // It may end before it has read everything.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });
}

/** The exit code of a shell that does not find the program. */
const NOT_FOUND = 127;

const missing = (): PushFailure =>
  new PushFailure(
    'The program git is not installed where pushes are made. Ask the operator of the service to install git and ssh.',
    { final: true },
  );
/** Another attempt would end in the same way, at the expense of others. */
export const tookTooMuchMemory = (): PushFailure =>
  new PushFailure('The newest commit of the branch has too many files. Push to a smaller repository.', {
    final: true,
  });
const tookTooLong = (): PushFailure => new PushFailure('The repository did not answer in time.');
const tooLarge = (): PushFailure =>
  new PushFailure(
    `The newest commit of the branch is larger than ${FOLDER_BYTES / 2 ** 20} MiB. Push to a smaller repository.`,
    { final: true },
  );
