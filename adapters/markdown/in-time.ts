import { createContext, Script } from 'node:vm';

/** The work took longer than it may. */
export class OutOfTime extends Error {
  override name = 'OutOfTime';
}

const global = { work: (): unknown => undefined };
const context = createContext(global);
const script = new Script('work()');

/**
 * Runs work of this thread, and stops it when its time is up. The thread lives on, so that the next work need not wait
 * for the start of a process.
 *
 * @throws OutOfTime
 */
export function inTime<Result>(limitMs: number, work: () => Result): Result {
  global.work = work;
  try {
    return script.runInContext(context, { timeout: limitMs }) as Result;
  } catch (error) {
    throw isTimeout(error) ? new OutOfTime(`it takes longer than ${limitMs} ms`) : error;
  }
}

/** It is an error of the other context, which has its own `Error`. */
const isTimeout = (error: unknown): boolean =>
  typeof error === 'object' &&
  error !== null &&
  'code' in error &&
  error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
