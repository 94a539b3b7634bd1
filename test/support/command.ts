import { PassThrough, Writable } from 'node:stream';
import { Interrupted } from '../../packages/command/interruption.ts';
import type { Io } from '../../packages/command/io.ts';
import { run } from '../../cli/run.ts';

/** A command of `presswork` that runs in the process of the test, and what it said. */
export interface RunningCommand {
  readonly stdin: Writable;
  out(): string;
  err(): string;
  /** Does to it what the signal does to a process that listens to it. */
  interrupt(signal?: keyof typeof exitCodes): void;
  /** Its exit code. */
  readonly ended: Promise<number>;
}

/** What a command gave that has ended. */
export interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Its only output, if it is an object. */
  readonly json: any;
}

interface Start {
  /** All of its environment; the default is none. */
  readonly env?: NodeJS.ProcessEnv;
  /** The default is a pipe, to which the test writes. */
  readonly stdin?: Io['stdin'];
}

const exitCodes = { SIGINT: 130, SIGTERM: 143 };

const running = new Set<RunningCommand>();

export function startCommand(argv: readonly string[], { env = {}, stdin }: Start = {}): RunningCommand {
  const [out, err] = [new Output(), new Output()];
  const pipe = new PassThrough();
  const listeners: ((reason: Interrupted) => void)[] = [];
  const ended = run(argv, {
    env,
    stdin: stdin ?? pipe,
    stdout: out,
    stderr: err,
    onInterrupt: (listener) => void listeners.push(listener),
  });
  const command: RunningCommand = {
    stdin: pipe,
    out: () => out.text(),
    err: () => err.text(),
    interrupt(signal = 'SIGINT') {
      for (const listener of listeners) listener(new Interrupted(exitCodes[signal]));
    },
    ended: ended.finally(() => running.delete(command)),
  };
  running.add(command);
  return command;
}

/** Runs a command to its end. @param input of its standard input */
export async function runCommand(
  argv: readonly string[],
  { input = '', env }: { readonly input?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<Run> {
  const command = startCommand(argv, { env });
  command.stdin.end(input);
  const code = await command.ended;
  const stdout = command.out();
  return {
    code,
    stdout,
    stderr: command.err(),
    json: stdout.startsWith('{') ? JSON.parse(stdout) : undefined,
  };
}

/** Ends what a test has left running. */
export async function endCommands(): Promise<void> {
  const left = [...running];
  for (const command of left) command.interrupt();
  await Promise.all(left.map(({ ended }) => ended));
}

/** Keeps what is written to it. */
class Output extends Writable {
  readonly #chunks: Buffer[] = [];

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#chunks.push(chunk);
    done();
  }

  text(): string {
    return Buffer.concat(this.#chunks).toString();
  }
}
