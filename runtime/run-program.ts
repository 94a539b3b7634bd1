import type { Logger } from 'pino';
import { SettingError } from './settings.ts';
import { describeError } from '../observability/log/describe-error.ts';
import { createRedactor } from '../observability/log/redact.ts';

/** Pino's level. */
const FATAL = 60;

/** A program that has started. */
export interface Program {
  readonly log: Logger;
  /** Time limit of the shutdown, in ms. */
  readonly limitMs: number;
  /** Rejects if the program cannot continue. */
  readonly broken: Promise<never>;
  /** Stops taking work, finishes or hands back work in flight, and releases its resources. */
  readonly end: () => Promise<void>;
}

/** Loads the program without running it, so that Node stores its compiled code in NODE_COMPILE_CACHE. */
export const LOAD_ONLY = '--load-only';

/**
 * If set to `on`, a program ends when its standard input does. If the supervisor that holds the other end is killed,
 * the program notices at once and does not keep running with old settings.
 */
export const END_WITH_INPUT = 'PRESSWORK_END_WITH_INPUT';

/**
 * Runs a program until SIGTERM or SIGINT, then ends the process with 0, or with 1 if the program broke. A signal before
 * the start has finished ends the process at once. A second signal is ignored, because one often arrives twice: to the
 * process group and from a supervisor that forwards it. SIGKILL remains.
 *
 * @param start resolves once the program takes work; if it rejects, the reason is printed
 */
export function runProgram(start: () => Promise<Program>): void {
  if (process.argv.includes(LOAD_ONLY)) return;
  let program: Program | undefined;
  let ending = false;
  let broke = false;
  const end = (): void => {
    if (ending) return;
    ending = true;
    if (program === undefined) process.exit(broke ? 1 : 0);
    const { log } = program;
    void endInTime(program).then((ended) => exitFlushed(log, ended && !broke ? 0 : 1));
  };
  const fail = (error: unknown): void => {
    broke = true;
    if (program !== undefined) program.log.fatal({ err: error }, 'exiting after an uncaught error');
    else console.error(error instanceof SettingError ? error.message : startFailure(error));
    end();
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, end);
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) process.on(event, fail);
  if (process.env[END_WITH_INPUT] === 'on') endWithInput(end);
  start().then((started) => {
    program = started;
    started.broken.catch(fail);
  }, fail);
}

/** Time for the log to write its last lines. */
const FLUSH_MS = 1_000;

/** Flushes the log and ends the process. Without the limit, a log whose reader has gone would retry for ever. */
function exitFlushed(log: Logger, code: number): void {
  const exit = (): never => process.exit(code);
  setTimeout(exit, FLUSH_MS);
  log.flush(exit);
}

function endWithInput(end: () => void): void {
  // The supervisor read the output; what is still written is lost.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => {});
  process.stdin.on('error', end).on('close', end).resume();
}

/** The error as a redacted log line, because errors of servers contain addresses. The logger may not exist yet. */
const startFailure = (error: unknown): string =>
  createRedactor([])(JSON.stringify({ level: FATAL, msg: 'could not start', err: describeError(error) }));

/** @returns whether the shutdown succeeded */
async function endInTime({ log, limitMs, end }: Program): Promise<boolean> {
  const timer = setTimeout(() => {
    log.fatal({ limit_ms: limitMs }, 'the shutdown did not finish in time');
    exitFlushed(log, 1);
  }, limitMs);
  try {
    await end();
    log.info('ended');
    return true;
  } catch (error) {
    log.fatal({ err: error }, 'ending failed');
    return false;
  } finally {
    clearTimeout(timer);
  }
}
