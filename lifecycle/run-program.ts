import type { Logger } from 'pino';
import { SettingError } from '../config/settings.ts';
import { describeError } from '../logging/describe-error.ts';
import { createRedactor } from '../logging/redact.ts';

/** Of pino. */
const FATAL = 60;

/** A program that has started. */
export interface Program {
  readonly log: Logger;
  /** What ending it may take, in ms; more is an error. */
  readonly limitMs: number;
  /** Rejects when it can go on no more. */
  readonly broken: Promise<never>;
  /** Takes on nothing more, finishes what is under way or hands it back, and lets go of what it holds. */
  readonly end: () => Promise<void>;
}

/** With it a program is loaded and not run, so that Node keeps what it compiled of it in NODE_COMPILE_CACHE. */
export const LOAD_ONLY = '--load-only';

/**
 * Runs a program until SIGTERM or SIGINT asks it to end, and then ends the process: with 0, or with 1 where it broke.
 * Asked before it has started, it has nothing to finish, and ends at once. Asked again, it goes on finishing: one
 * signal often comes twice, to the group and from whoever passes it on, and for the impatient there is SIGKILL.
 *
 * @param start resolves once the program takes on work; where it rejects, the reason is printed
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
    void endInTime(program).then((ended) => process.exit(ended && !broke ? 0 : 1));
  };
  const fail = (error: unknown): void => {
    broke = true;
    if (program !== undefined) program.log.fatal({ err: error }, 'ending after an error that nothing caught');
    else console.error(error instanceof SettingError ? error.message : startFailure(error));
    end();
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, end);
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) process.on(event, fail);
  start().then((started) => {
    program = started;
    started.broken.catch(fail);
  }, fail);
}

/** As a line of the log, which may not be there yet: errors of servers name addresses, and more. */
const startFailure = (error: unknown): string =>
  createRedactor([])(JSON.stringify({ level: FATAL, msg: 'could not start', err: describeError(error) }));

/** @returns whether it ended as it should */
async function endInTime({ log, limitMs, end }: Program): Promise<boolean> {
  const timer = setTimeout(() => {
    log.fatal({ limit_ms: limitMs }, 'what was under way did not end in time');
    process.exit(1);
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
